import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { announce, Inspector, processBean } from '@jig/bean-inspection/internal';
import { InnerSession } from '@jig/inspect/internal';
import { mainFile } from '../discovery/own-files.ts';
import { Components, type ComponentsOptions } from './components.ts';
import { holdPath, isPostTo, stopPath } from './requests.ts';
import { startInThreads, type ThreadAgent } from './threads.ts';

export interface AgentOptions extends ComponentsOptions {
  /** The processes of `jig attach` that it is for: it announces itself, and leaves when all of them have ended. */
  readonly holders?: readonly number[] | undefined;
  /** What each worker thread gets, too. */
  readonly forThreads?: ThreadAgent | undefined;
  /** The socket that requests come from if the agent does not listen itself, as for `jig run`. */
  readonly socket?: string | undefined;
}

export interface Agent {
  /** Answers a request that came over a socket which only the user of the process can open. */
  readonly handler: RequestListener;
  /** Leaves, and leaves nothing behind. */
  stop(): void;
  /** Resolves when it has left. */
  readonly stopped: Promise<unknown>;
}

const prefix = '/jig';

/** How often it looks whether those that it is for are still there. */
const watchMs = 500;

/** Discovers the objects of this thread, and serves them as beans. */
export async function start({ holders: given, forThreads, socket, ...options }: AgentOptions = {}): Promise<Agent> {
  // Loading it has taken a while.
  await nextTurn();
  const session = new InnerSession();
  const components = new Components(session, options);
  const application = process.env.npm_package_name ?? (basename(mainFile()) || 'node');
  const inspector = new Inspector(
    components.source,
    { prefix, enabled: true, application, onReady: () => {}, privateFields: true },
    { note: () => components.note },
  );
  const leaving = new AbortController();
  const stop = () => leaving.abort();
  const stopped = once(leaving.signal, 'abort');
  const holders = given && new Set(given);
  const handler: RequestListener = (request, response) => {
    // Also if the client no longer waits.
    if (isPostTo(request, stopPath)) response.once('close', stop).writeHead(204).end();
    else if (holders !== undefined && isPostTo(request, holdPath)) {
      holders.add(Number(request.url?.slice(holdPath.length)));
      spread.then(
        () => response.writeHead(204).end(),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    } else
      components.ready().then(
        () => void inspector.answerOnSocket(request, response, () => request),
        (error: unknown) => response.writeHead(500).end(`The application cannot be looked at: ${String(error)}\n`),
      );
  };
  const announced = holders ? announce({ prefix, application, attached: true, handler }) : undefined;
  components.socket = socket ?? announced?.announcement.socket;
  const timer = holders && setInterval(() => [...holders].some(isAlive) || stop(), watchMs).unref();
  leaving.signal.addEventListener('abort', () => {
    clearInterval(timer);
    inspector.close();
    announced?.close();
    session.close();
    processBean().stop();
  });
  const spread = components.ready().then(async () => {
    // It may have left before the end of its search.
    if (forThreads !== undefined && holders !== undefined && !leaving.signal.aborted)
      await startInThreads(session, forThreads, [...holders], leaving.signal);
  });
  spread.catch(() => {});
  return { handler, stop, stopped };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
