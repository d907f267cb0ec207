import type { ClientRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { announcements } from '@jig/bean-inspection/internal';
import type { InnerSession } from '@jig/inspect/internal';
import { callMessage, holdPath, post } from './requests.ts';

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

/** The agents in the worker threads of this process, which end with that of its main thread. */
export class AgentsInThreads {
  readonly #connections = new Map<string, ClientRequest>();

  /** Resolves when all threads have their agents, or have had the time for it. */
  async start(session: InnerSession, agent: ThreadAgent, signal: AbortSignal): Promise<void> {
    const end = Date.now() + threadMs;
    const count = callInThreads(session, callMessage(agent.code, [process.pid, agent.source, { until: end }]));
    while (this.#connections.size < count && Date.now() < end && !signal.aborted) {
      for (const { pid, thread, socket } of await announcements())
        if (pid === process.pid && thread !== 0 && !this.#connections.has(socket) && !signal.aborted) {
          const holding = post(socket, holdPath).on('error', () => {});
          holding.once('socket', (each) => each.unref());
          this.#connections.set(socket, holding);
        }
      await delay(10, undefined, { ref: false });
    }
  }

  release(): void {
    for (const each of this.#connections.values()) each.destroy();
  }
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
