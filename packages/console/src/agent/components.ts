import type { IncomingMessage } from 'node:http';
import type { BeanSource } from '@jig/bean-inspection';
import type { InnerSession } from '@jig/inspect/internal';
import { ApplicationFiles, type CapturedModules } from '../discovery/application-files.ts';
import { discover } from '../discovery/discovery.ts';
import { FoundSource } from '../discovery/found-source.ts';
import { mainFile } from '../discovery/own-files.ts';
import { HeapRoots } from '../discovery/roots.ts';

export interface ComponentsOptions {
  /** Undefined in an application that was attached to. */
  readonly captured?: CapturedModules | undefined;
  /** The address of the folder of our own modules, where they are loaded as such. */
  readonly ownFolder?: string | undefined;
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

/** The components that the last search has found; searched again when a request would get an outdated list. */
export class Components {
  readonly #session: InnerSession;
  readonly #options: ComponentsOptions;
  readonly #files = new ApplicationFiles(process.cwd(), mainFile());
  readonly #heap: HeapRoots | undefined;
  #found: BeanSource<IncomingMessage> | undefined;
  #searchedAt = 0;
  #search: Promise<void> | undefined;
  #left = 0;
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

  constructor(session: InnerSession, options: ComponentsOptions) {
    this.#session = session;
    this.#options = options;
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

  /** Resolves once there is a list; searches again where the first search has failed. */
  async ready(): Promise<void> {
    if (this.#found === undefined) await this.search();
  }

  search(): Promise<void> {
    this.#search ??= this.#run().finally(() => {
      this.#search = undefined;
      this.#searchedAt = performance.now();
    });
    return this.#search;
  }

  async #run(): Promise<void> {
    const { socket } = this;
    const fixed = { session: this.#session, files: this.#files, heap: this.#heap };
    const found = await discover({ ...this.#options, ...fixed, socket, effort: this.#effort });
    this.#left = found.left;
    this.#found = new FoundSource(found, this.#files);
  }
}
