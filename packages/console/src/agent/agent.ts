import type { IncomingMessage, RequestListener } from 'node:http';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BeanSource } from '@jig/bean-inspection';
import { announce, Inspector, processBean } from '@jig/bean-inspection/internal';
import { InnerSession } from '@jig/inspect/internal';
import { ApplicationFiles, type CapturedModules } from '../discovery/application-files.ts';
import { discover } from '../discovery/discovery.ts';
import type { Found } from '../discovery/finds.ts';
import { FoundSource } from '../discovery/found-source.ts';
import { mainFile } from '../discovery/own-files.ts';
import { HeapRoots } from '../discovery/roots.ts';
import { Holds, holdPath, isPostTo, stopPath } from './holds.ts';
import { callInThreads } from './threads.ts';

export interface AgentOptions {
  /** Whether it leaves when nobody holds it, as `jig attach` does. */
  readonly isHeld?: boolean | undefined;
  /** What each worker thread calls to get an agent of its own, and the text of the agent. */
  readonly spread?: { readonly code: string; readonly source: string } | undefined;
  readonly captured?: CapturedModules | undefined;
  /** The socket that requests come from, where somebody else listens to it, as `jig run` does. */
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
  readonly stopped: Promise<void>;
}

/** A search that was cut takes twice as long when somebody looks again, up to so many times as long as the first. */
const mostEffort = 16;
/** After that, who looks at the list lets what is new be found. */
const freshMs = 15_000;
const prefix = '/jig';

/** Finds what the application of this thread is made of, and serves it as beans; one that is held serves before it has found it. */
export async function start({ isHeld = false, spread, ...options }: AgentOptions = {}): Promise<Agent> {
  // Loading it has taken a while.
  await nextTurn();
  const session = new InnerSession();
  const components = new Components(session, options);
  const application = applicationName();
  const inspector = new Inspector(
    components.source,
    { prefix, enabled: true, application, onReady: () => {}, privateFields: true },
    { note: () => components.note },
  );
  const handler: RequestListener = (request, response) => {
    if (isPostTo(request, stopPath)) {
      response.statusCode = 204;
      // Also where nobody waits for the answer any more.
      response.once('close', stop).end();
    } else if (holds !== undefined && isPostTo(request, holdPath)) void holds.add(response, said);
    else void said.then(() => inspector.answerOnSocket(request, response, () => request));
  };
  const announced = isHeld ? announce({ prefix, application, attached: true, handler }) : undefined;
  const holds = isHeld ? new Holds(() => stop()) : undefined;
  components.socket ??= announced?.announcement.socket;
  let leave = () => {};
  const stopped = new Promise<void>((resolve) => {
    leave = resolve;
  });
  let isStopped = false;
  function stop(): void {
    if (isStopped) return;
    isStopped = true;
    holds?.close();
    inspector.close();
    announced?.close();
    session.close();
    processBean().stop();
    leave();
  }
  const searched = components.search();
  // It may have left before the end of its search.
  const said: Promise<object> = searched
    .then(() => ({
      threads: spread === undefined || isStopped ? 0 : callInThreads(session, spread),
      longestMs: components.statistics.longestMs,
    }))
    .catch((error: unknown) => ({ error: String(error) }));
  if (!isHeld)
    await searched.catch((error: unknown) => {
      stop();
      throw error;
    });
  return { handler, stop, stopped };
}

/** Searching the heap stops a process for 14 to 25 ms of CPU for each MB of old space, on Node 20 to 26. */
const largestOldSpace = 20e6;

/** The bytes of the heap that matter for that: large strings and arrays cost little, and new objects are mostly garbage. */
const oldSpace = () =>
  process
    .getBuiltinModule('node:v8')
    .getHeapSpaceStatistics()
    .find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;

const applicationName = () => process.env.npm_package_name ?? (mainFile() === '' ? 'node' : basename(mainFile()));

/** What was found last; searched again when somebody looks who could see something old. */
class Components {
  readonly #session: InnerSession;
  readonly #options: AgentOptions;
  #found: BeanSource<IncomingMessage> | undefined;
  readonly #files: ApplicationFiles;
  readonly #heap?: HeapRoots;
  #searchedAt = 0;
  #search: Promise<void> | undefined;
  /** The one that we are asked by. */
  socket: string | undefined;
  statistics: Found['statistics'] = { longestMs: 0, left: 0 };
  #effort = 1;
  readonly source: BeanSource<IncomingMessage> = {
    create: 'explicit',
    describe: () => {
      // If it fails, what was found last stays: an error that nobody handles would end the application.
      const { left } = this.statistics;
      const goesOn = left > 0 && this.#effort < mostEffort && this.#search === undefined;
      if (goesOn) this.#effort *= 2;
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
    this.#files = new ApplicationFiles(process.cwd(), mainFile());
    // An application that was attached to is not stopped for it.
    if (options.captured !== undefined && oldSpace() <= largestOldSpace) this.#heap = new HeapRoots(session);
  }

  /** What is not here, and what to do. */
  get note(): string | undefined {
    const { left } = this.statistics;
    if (left > 0)
      return `The search ended after its time. ${left.toLocaleString('en')} objects, and what only they lead to, are missing. Open this list again to go on.`;
    if (this.#options.captured === undefined)
      return 'Jig was attached: variables of a module that no function uses are not here. An application that is started by npx @jig/console run shows them.';
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
    const options = {
      session: this.#session,
      files: this.#files,
      captured,
      heap: this.#heap,
      socket: this.socket,
      ownFolder,
      effort: this.#effort,
    };
    const found = await discover(options);
    this.statistics = found.statistics;
    this.#found = new FoundSource(found, this.#files);
  }
}
