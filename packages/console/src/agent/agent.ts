import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BeanSource } from '@jig/bean-inspection';
import { announce, Inspector, processBean } from '@jig/bean-inspection/internal';
import { InnerSession } from '@jig/inspect/internal';
import { ApplicationFiles, type CapturedModules } from '../discovery/application-files.ts';
import { discover, type Found } from '../discovery/discovery.ts';
import { FoundSource } from '../discovery/found-source.ts';
import { mainFile } from '../discovery/own-files.ts';
import { HeapRoots } from '../discovery/roots.ts';
import { holdPath, isPostTo, stopPath } from './requests.ts';
import { AgentsInThreads, type ThreadAgent } from './threads.ts';

export interface AgentOptions {
  /** Whether it announces itself, and ends with its last connection, as for `jig attach`. */
  readonly isHeld?: boolean | undefined;
  /** What each worker thread gets, too. */
  readonly forThreads?: ThreadAgent | undefined;
  readonly captured?: CapturedModules | undefined;
  /** The socket that requests come from if the agent does not listen itself, as for `jig run`. */
  readonly socket?: string | undefined;
  /** The address of the folder of our own modules, where they are loaded as such. */
  readonly ownFolder?: string | undefined;
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

/** Discovers the objects of this thread, and serves them as beans; one for `jig attach` serves before the search has ended. */
export async function start({ isHeld = false, forThreads, ...options }: AgentOptions = {}): Promise<Agent> {
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
    else void searched.catch(() => {}).then(() => inspector.answerOnSocket(request, response, () => request));
  };
  const announced = isHeld ? announce({ prefix, application, attached: true, handler }) : undefined;
  components.socket ??= announced?.announcement.socket;
  leaving.signal.addEventListener('abort', () => {
    holders?.close();
    threads.release();
    inspector.close();
    announced?.close();
    session.close();
    processBean().stop();
  });
  const searched = components.search();
  const spread = searched.then(async () => {
    // It may have left before the end of its search.
    if (forThreads !== undefined && !leaving.signal.aborted) await threads.start(session, forThreads, leaving.signal);
  });
  spread.catch(() => {});
  if (!isHeld)
    await searched.catch((error: unknown) => {
      stop();
      throw error;
    });
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

/** Searching the heap stops a process for 14 to 25 ms of CPU for each MB of old space, on Node 20 to 26. */
const largestOldSpace = 20e6;

/** The bytes of the heap that matter for that: large strings and arrays cost little, and new objects are mostly garbage. */
const oldSpace = () =>
  process
    .getBuiltinModule('node:v8')
    .getHeapSpaceStatistics()
    .find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;

/** An interrupted search gets twice the time at the next request, up to this multiple of the first. */
const maxEffort = 16;
/** After this time, a request for the list searches again. */
const freshMs = 15_000;

/** The last result; searched again when a request would get an outdated one. */
class Components {
  readonly #session: InnerSession;
  readonly #options: AgentOptions;
  readonly #files = new ApplicationFiles(process.cwd(), mainFile());
  readonly #heap: HeapRoots | undefined;
  #found: BeanSource<IncomingMessage> | undefined;
  #searchedAt = 0;
  #search: Promise<void> | undefined;
  #left: Found['left'] = 0;
  #effort = 1;
  /** The one that we are asked by. */
  socket: string | undefined;
  readonly source: BeanSource<IncomingMessage> = {
    create: 'explicit',
    describe: () => {
      const goesOn = this.#left > 0 && this.#effort < maxEffort && this.#search === undefined;
      if (goesOn) this.#effort *= 2;
      // If it fails, the last result stays: an unhandled error would end the application.
      if (goesOn || performance.now() - this.#searchedAt > freshMs) this.search().catch(() => {});
      return this.#found?.describe() ?? [];
    },
    has: (name) => this.#found?.has(name) === true,
    peek: (name) => this.#found?.peek(name),
    get: (name, context) => (this.#found as BeanSource<IncomingMessage>).get(name, context),
  };

  constructor(session: InnerSession, options: AgentOptions) {
    this.#session = session;
    this.#options = options;
    this.socket = options.socket;
    // An application that was attached to is not stopped for it.
    if (options.captured !== undefined && oldSpace() <= largestOldSpace) this.#heap = new HeapRoots(session);
  }

  /** What is not here, and what to do. */
  get note(): string | undefined {
    if (this.#left > 0)
      return `The search ended after its time. ${this.#left.toLocaleString('en')} objects, and what only they lead to, are missing. Open this list again to go on.`;
    if (this.#options.captured === undefined)
      return 'Jig was attached: variables of a module that no function uses are not here. An application that is started by jig run shows them.';
    if (this.#heap === undefined)
      return 'What only this of an arrow function leads to is not here: searching all of this memory would stop the application for long.';
    return undefined;
  }

  search(): Promise<void> {
    this.#search ??= this.#run().finally(() => {
      this.#search = undefined;
      this.#searchedAt = performance.now();
    });
    return this.#search;
  }

  async #run(): Promise<void> {
    const { captured, ownFolder } = this.#options;
    const found = await discover({
      session: this.#session,
      files: this.#files,
      captured,
      heap: this.#heap,
      socket: this.socket,
      ownFolder,
      effort: this.#effort,
    });
    this.#left = found.left;
    this.#found = new FoundSource(found, this.#files);
  }
}
