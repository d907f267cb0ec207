import { setTimeout as delay } from 'node:timers/promises';
import { type Announcement, announcements } from '@jig/bean-inspection/internal';
import type { InnerSession } from '@jig/inspect/internal';
import { callMessage } from './requests.ts';

/** The function that a worker thread calls to start its own agent, and the source of that agent. */
export interface ThreadAgent {
  readonly code: string;
  readonly source: string;
}

interface ThreadEvent {
  readonly params: { readonly sessionId: string };
}

/** A thread that is blocked for longer gets no agent. */
const threadMs = 3000;

/** Starts an agent in each worker thread of this process; resolves when all run, or after `threadMs`. */
export async function startInThreads(
  session: InnerSession,
  { code, source }: ThreadAgent,
  holders: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  const until = Date.now() + threadMs;
  const count = callInThreads(session, callMessage(code, [process.pid, source, { until, holders }]));
  const isInThread = ({ pid, thread, attached }: Announcement) =>
    pid === process.pid && thread !== 0 && attached === true;
  while (Date.now() < until && !signal.aborted && (await announcements()).filter(isInThread).length < count)
    await delay(10, undefined, { ref: false });
}

/** Sends a message to each worker thread through the inspector, without a port; returns how many threads there are. */
function callInThreads(session: InnerSession, message: string): number {
  const { events } = session;
  const sent: string[] = [];
  const answered = new Set<string>();
  const send = ({ params: { sessionId } }: ThreadEvent) => {
    sent.push(sessionId);
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
  };
  const receive = ({ params: { sessionId } }: ThreadEvent) => {
    answered.add(sessionId);
    finish();
  };
  const finish = () => {
    if (answered.size < sent.length) return;
    events.off('NodeWorker.receivedMessageFromWorker', receive);
    session.post('NodeWorker.disable');
  };
  events.on('NodeWorker.attachedToWorker', send).on('NodeWorker.receivedMessageFromWorker', receive);
  // Reports all current threads before it returns; later ones are ignored.
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  events.off('NodeWorker.attachedToWorker', send);
  if (sent.length === 0) finish();
  return sent.length;
}
