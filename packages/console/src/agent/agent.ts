import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { announce, Inspector, processBean } from '@jig/bean-inspection/internal';
import { InnerSession } from '@jig/inspect/internal';
import { mainFile } from '../discovery/own-files.ts';
import { Components, type ComponentsOptions } from './components.ts';
import { holdPath, isPostTo, stopPath } from './requests.ts';
import { startInThreads, type ThreadAgent } from './threads.ts';

export interface AgentOptions extends ComponentsOptions {
  /** The ids of the `jig` processes that attached: the agent announces itself, and stops when all of them have ended. */
  readonly holders?: readonly number[] | undefined;
  /** The agent to start in each worker thread too. */
  readonly forThreads?: ThreadAgent | undefined;
  /** The socket that requests arrive on if another module listens, as with `jig run`. */
  readonly socket?: string | undefined;
}

export interface Agent {
  /** Handles a request from a socket that only the user of the process can open. */
  readonly handler: RequestListener;
  /** Removes the agent from the process. */
  stop(): void;
  /** Resolves when the agent has stopped. */
  readonly stopped: Promise<unknown>;
}

const prefix = '/jig';

/** How often to check whether the holders still run. */
const holderCheckMs = 500;

/** Discovers the objects of this thread, and serves them as beans. */
export async function start({ holders: given, forThreads, socket, ...options }: AgentOptions = {}): Promise<Agent> {
  // Loading the agent took a while, so the event loop runs first.
  await nextTurn();
  const session = new InnerSession();
  const components = new Components(session, options);
  const application = process.env.npm_package_name ?? (basename(mainFile()) || 'node');
  const inspector = new Inspector(
    components.source,
    { prefix, enabled: true, application, onReady: () => {}, privateFields: true },
    { note: () => components.note },
  );
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  const stopped = once(stopping.signal, 'abort');
  const holders = given && new Set(given);
  const announced = holders ? announce({ prefix, application, attached: true, handler }) : undefined;
  components.socket = socket ?? announced?.announcement.socket;
  const timer = holders && setInterval(() => [...holders].some(isAlive) || stop(), holderCheckMs).unref();
  stopping.signal.addEventListener('abort', () => {
    clearInterval(timer);
    inspector.close();
    announced?.close();
    session.close();
    processBean().stop();
  });
  const threadsStarted = components.ready().then(async () => {
    // It may have been stopped during the search.
    if (forThreads !== undefined && holders !== undefined && !stopping.signal.aborted)
      await startInThreads(session, forThreads, [...holders], stopping.signal);
  });
  threadsStarted.catch(() => {});
  function handler(request: IncomingMessage, response: ServerResponse): void {
    // On `close`, so that it stops even if the client has disconnected.
    if (isPostTo(request, stopPath)) response.once('close', stop).writeHead(204).end();
    else if (holders !== undefined && isPostTo(request, holdPath)) {
      holders.add(Number(request.url?.slice(holdPath.length)));
      threadsStarted.then(
        () => response.writeHead(204).end(),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    } else
      components.ready().then(
        () => void inspector.answerOnSocket(request, response, () => request),
        (error: unknown) => response.writeHead(500).end(`The application cannot be inspected: ${String(error)}\n`),
      );
  }
  return { handler, stop, stopped };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
