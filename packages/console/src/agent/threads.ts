import { setTimeout as delay } from 'node:timers/promises';
import { type Announcement, announcements } from '@jig/bean-inspection/internal';
import type { InnerSession } from '@jig/inspect/internal';
import { callMessage } from './requests.ts';

/** What a thread calls to get an agent of its own, and the text of the agent. */
export interface ThreadAgent {
  readonly code: string;
  readonly source: string;
}

interface FromThread {
  readonly params: { readonly sessionId: string };
}

/** A thread that is blocked for longer gets no agent. */
const threadMs = 3000;

/** Brings an agent into each worker thread of this process; resolves when all have theirs, or have had the time for it. */
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

/** Sends a message to each worker thread, by the inspector, without a port; gives how many there are. */
function callInThreads(session: InnerSession, message: string): number {
  const { events } = session;
  const asked: string[] = [];
  const answered = new Set<string>();
  const ask = ({ params: { sessionId } }: FromThread) => {
    asked.push(sessionId);
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
  };
  const listen = ({ params: { sessionId } }: FromThread) => {
    answered.add(sessionId);
    leave();
  };
  const leave = () => {
    if (answered.size < asked.length) return;
    events.off('NodeWorker.receivedMessageFromWorker', listen);
    session.post('NodeWorker.disable');
  };
  events.on('NodeWorker.attachedToWorker', ask).on('NodeWorker.receivedMessageFromWorker', listen);
  // Reports all current threads before it returns; later ones are ignored.
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  events.off('NodeWorker.attachedToWorker', ask);
  if (asked.length === 0) leave();
  return asked.length;
}
