import type { IncomingMessage, RequestListener } from 'node:http';
import { basename } from 'node:path';
import type { Duplex } from 'node:stream';
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
import { isStopRequest } from './stop-request.ts';
import { evaluateInThreads } from './threads.ts';

export interface AgentOptions {
  /** The connection of whoever has attached: when it ends, however it does, the agent leaves. */
  readonly hold?: Duplex | undefined;
  /** What is evaluated in each worker thread, so that it gets an agent of its own. */
  readonly inThreads?: string | undefined;
  readonly captured?: CapturedModules | undefined;
  /** The socket that requests come from, where somebody else listens to it, as `jig run` does. */
  readonly socket?: string | undefined;
  /** The address of the folder of our own modules, where they are loaded as such. */
  readonly ownFolder?: string | undefined;
}

export interface Agent {
  /** Answers a request that came over a socket which only the user of the process can open. */
  readonly handler: RequestListener;
  /** The socket that it listens on; undefined where it has none of its own. */
  readonly socket: string | undefined;
  /** How many threads were asked to get an agent. */
  readonly threads: number;
  /** What the last search found, and how long it took. */
  readonly statistics: Found['statistics'];
  /** Leaves, and leaves nothing behind. */
  stop(): void;
}

/** A search that was cut takes twice as long when somebody looks again, up to so many times as long as the first. */
const mostEffort = 16;
/** After that, who looks at the list lets what is new be found. */
const freshMs = 15_000;
const prefix = '/jig';

/** Finds what the application of this thread is made of, and serves it as beans. */
export async function start(options: AgentOptions = {}): Promise<Agent> {
  // Loading it has taken a while.
  await nextTurn();
  const session = new InnerSession();
  try {
    const components = new Components(session, options);
    await components.search();
    return serve(components, session, options);
  } catch (error) {
    session.close();
    throw error;
  }
}

function serve(components: Components, session: InnerSession, { hold, socket, inThreads }: AgentOptions): Agent {
  const { source } = components;
  const options = { prefix, enabled: true, application: applicationName(), onReady: () => {}, privateFields: true };
  const inspector = new Inspector(source, options, { note: () => components.note });
  const handler: RequestListener = (request, response) => {
    if (isStopRequest(request)) {
      response.statusCode = 204;
      // Also where nobody waits for the answer any more.
      response.once('close', stop).end();
      return;
    }
    void inspector.answerOnSocket(request, response, () => request);
  };
  const announced =
    socket === undefined ? announce({ prefix, application: applicationName(), attached: true, handler }) : undefined;
  components.socket ??= announced?.announcement.socket;
  let isStopped = false;
  function stop(): void {
    if (isStopped) return;
    isStopped = true;
    hold?.off('close', stop).destroy();
    inspector.close();
    announced?.close();
    session.close();
    processBean().stop();
  }
  hold?.once('close', stop);
  return {
    handler,
    socket: components.socket,
    threads: inThreads === undefined ? 0 : evaluateInThreads(session, inThreads),
    get statistics() {
      return components.statistics;
    },
    stop,
  };
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
