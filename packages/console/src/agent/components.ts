import type { IncomingMessage } from 'node:http';
import type { BeanSource } from '@jig/bean-inspection';
import type { InnerSession } from '@jig/inspect/internal';
import { ApplicationFiles, type CapturedModules } from '../discovery/application-files.ts';
import { discover } from '../discovery/discovery.ts';
import { FoundSource } from '../discovery/found-source.ts';
import { mainFile } from '../discovery/own-files.ts';
import { HeapRoots } from '../discovery/roots.ts';

export interface ComponentsOptions {
  /** The modules whose variables `jig run` exposes; undefined after `jig attach`. */
  readonly captured?: CapturedModules | undefined;
  /** The URL of the folder of Jig's own modules, which are skipped; only with `jig run`. */
  readonly ownFolder?: string | undefined;
}

/** A larger old space is not searched: that blocks the process for 14 to 25 ms of CPU per MB, on Node 20 to 26. */
const maxOldSpaceBytes = 20e6;

/** The size of old space. The rest is cheap to skip: large strings and arrays cost little, and new objects are mostly garbage. */
const oldSpaceBytes = () =>
  process
    .getBuiltinModule('node:v8')
    .getHeapSpaceStatistics()
    .find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;

/** A search that reached its limits gets twice the limits at the next request, up to this multiple of the first. */
const maxEffort = 16;
/** After this time, a request for the list searches again. */
const staleAfterMs = 15_000;

/** The components that the last search found; a request for an outdated list starts another search. */
export class Components {
  readonly #session: InnerSession;
  readonly #options: ComponentsOptions;
  readonly #files = new ApplicationFiles(process.cwd(), mainFile());
  readonly #heap: HeapRoots | undefined;
  #found: BeanSource<IncomingMessage> | undefined;
  #searchedAt = 0;
  #search: Promise<void> | undefined;
  #unvisited = 0;
  #effort = 1;
  /** The socket that requests arrive on, which is not listed as a server of the application. */
  socket: string | undefined;
  readonly source: BeanSource<IncomingMessage> = {
    create: 'explicit',
    describe: () => {
      const canContinue = this.#unvisited > 0 && this.#effort < maxEffort && this.#search === undefined;
      if (canContinue) this.#effort *= 2;
      // A failed search keeps the last result; an unhandled rejection would end the application.
      if (canContinue || performance.now() - this.#searchedAt > staleAfterMs) this.search().catch(() => {});
      return this.#found?.describe() ?? [];
    },
    has: (name) => this.#found?.has(name) === true,
    peek: (name) => this.#found?.peek(name),
    get: (name, context) => (this.#found as BeanSource<IncomingMessage>).get(name, context),
  };

  constructor(session: InnerSession, options: ComponentsOptions) {
    this.#session = session;
    this.#options = options;
    // The search would block an application that was attached to.
    if (options.captured !== undefined && oldSpaceBytes() <= maxOldSpaceBytes) this.#heap = new HeapRoots(session);
  }

  /** What is missing from the list, and what to do. */
  get note(): string | undefined {
    if (this.#unvisited > 0)
      return `The search reached its limits. ${this.#unvisited.toLocaleString('en')} objects, and what only they lead to, are missing. Open this list again to continue.`;
    if (this.#options.captured === undefined)
      return 'Jig was attached: variables of a module that no function uses are missing. Start the application with jig run to see them.';
    if (this.#heap === undefined)
      return 'Objects that only this of an arrow function refers to are missing: searching all of this memory would block the application for long.';
    return undefined;
  }

  /** Resolves once there is a list; searches again if the first search failed. */
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
    this.#unvisited = found.unvisited;
    this.#found = new FoundSource(found, this.#files);
  }
}
