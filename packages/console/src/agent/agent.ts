import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { announce, Inspector, processBean } from '@jig/bean-inspection/internal';
import { InnerSession } from '@jig/inspect/internal';
import { mainFile } from '../discovery/own-files.ts';
import { Components, type ComponentsOptions } from './components.ts';
import { holdPath, isPostTo, stopPath } from './requests.ts';
import { AgentsInThreads, type ThreadAgent } from './threads.ts';

export interface AgentOptions extends ComponentsOptions {
  /** Whether it announces itself, and ends with its last connection, as for `jig attach`. */
  readonly isHeld?: boolean | undefined;
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

/** Discovers the objects of this thread, and serves them as beans. */
export async function start({ isHeld = false, forThreads, socket, ...options }: AgentOptions = {}): Promise<Agent> {
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
  const holders = isHeld ? new Holders(stop) : undefined;
  const threads = new AgentsInThreads();
  const handler: RequestListener = (request, response) => {
    // Also if the client no longer waits.
    if (isPostTo(request, stopPath)) response.once('close', stop).writeHead(204).end();
    else if (holders !== undefined && isPostTo(request, holdPath)) holders.add(response, spread);
    else
      components.ready().then(
        () => void inspector.answerOnSocket(request, response, () => request),
        (error: unknown) => response.writeHead(500).end(`The application cannot be looked at: ${String(error)}\n`),
      );
  };
  const announced = isHeld ? announce({ prefix, application, attached: true, handler }) : undefined;
  components.socket = socket ?? announced?.announcement.socket;
  leaving.signal.addEventListener('abort', () => {
    holders?.close();
    threads.release();
    inspector.close();
    announced?.close();
    session.close();
    processBean().stop();
  });
  const spread = components.ready().then(async () => {
    // It may have left before the end of its search.
    if (forThreads !== undefined && !leaving.signal.aborted) await threads.start(session, forThreads, leaving.signal);
  });
  spread.catch(() => {});
  return { handler, stop, stopped };
}

/** The time that a new `jig attach` has to connect to the agent. */
const heldWithinMs = 5000;

/** The connections that hold an agent: when the last one is gone, however it went, the agent leaves. */
class Holders {
  readonly #all = new Set<ServerResponse>();
  readonly #leave: () => void;
  readonly #timer: NodeJS.Timeout;

  constructor(leave: () => void) {
    this.#leave = leave;
    this.#timer = setTimeout(leave, heldWithinMs).unref();
  }

  /** Answers once it is ready. An unhandled error would end the application. */
  add(response: ServerResponse, ready: Promise<void>): void {
    this.close();
    this.#all.add(response);
    response
      .on('error', () => {})
      .once('close', () => {
        this.#all.delete(response);
        if (this.#all.size === 0) this.#leave();
      });
    ready.then(
      () => response.writeHead(200).flushHeaders(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
