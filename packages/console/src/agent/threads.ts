import type { InnerSession } from '@jig/inspect/internal';
import { callMessage } from '../attach/inspector-message.ts';

interface FromThread {
  readonly params: { readonly sessionId: string };
}

/** A thread that is blocked for longer gets no agent. */
const threadMs = 3000;

/** Starts an agent in each worker thread of the process, by the inspector, without a port; gives how many there are. */
export function callInThreads(session: InnerSession, { code, source }: { code: string; source: string }): number {
  const { events } = session;
  const message = callMessage(code, [process.pid, source, { until: Date.now() + threadMs }]);
  const asked: string[] = [];
  const answered = new Set<string>();
  const ask = ({ params: { sessionId } }: FromThread) => {
    asked.push(sessionId);
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
  };
  const listen = ({ params: { sessionId } }: FromThread) => void answered.add(sessionId);
  const leave = () => {
    if (answered.size < asked.length) return;
    events.off('NodeWorker.receivedMessageFromWorker', listen).off('NodeWorker.receivedMessageFromWorker', leave);
    session.post('NodeWorker.disable');
  };
  events.on('NodeWorker.attachedToWorker', ask).on('NodeWorker.receivedMessageFromWorker', listen);
  // Tells of all threads before it returns; those that come later are left alone.
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  events.off('NodeWorker.attachedToWorker', ask).on('NodeWorker.receivedMessageFromWorker', leave);
  leave();
  return asked.length;
}
