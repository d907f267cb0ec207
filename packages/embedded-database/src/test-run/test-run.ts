import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { relative } from 'node:path';
import { createInterface } from 'node:readline';
import type { DatabaseCopy } from '../database-server.ts';
import { DatabaseError, errorMessage, optionInvalid } from '../errors.ts';
import { keepDatabases } from '../kept-databases.ts';
import { type RunningDatabase, type Started, startWithServer } from '../start-database.ts';
import type { StartDatabaseOptions } from '../start-options.ts';
import type { LeaseAnswer, LeaseRequest } from './lease-client.ts';

/** Who shares a database: the tests of a file, those that a worker runs, or all tests of a run. */
export type Isolation = 'file' | 'worker' | 'run';

const isolations: readonly Isolation[] = ['file', 'worker', 'run'];

/** The options of a database for a whole test run; it stops with the run. */
export interface RunDatabaseOptions extends Omit<StartDatabaseOptions, 'signal'> {
  /** Who gets a fresh database, with your migrations. Default: `file`, each test file. */
  readonly isolation?: Isolation | undefined;
  /** Whether the database of a test file that fails is kept for an hour, with a line that says how to look at it. Default: whether `JIG_KEEP` is set. */
  readonly keepOnFailure?: boolean | undefined;
}

/** Enough for the pools of 32 workers; both kinds of servers have this setting. */
const connections = 500;

/** A database that workers use. */
interface Entry {
  readonly made: Promise<DatabaseCopy>;
  /** The files that have used it. */
  readonly files: Set<string>;
  failed: boolean;
}

type KnownOptions = RunDatabaseOptions & { readonly isolation: Isolation; readonly keepOnFailure: boolean };

export interface TestRunHooks {
  /** Whether a test of this file has failed, for runners that know it in this process; workers tell it otherwise. */
  hasFailed?(file: string): boolean;
}

/**
 * The database server of a test run, in the process of the runner. Workers ask it for databases over a connection that they keep open: a
 * worker makes nothing itself, and whatever its end is, it is noticed.
 */
export class TestRun {
  readonly database: RunningDatabase;
  readonly #started: Started;
  readonly #options: KnownOptions;
  readonly #hooks: TestRunHooks;
  readonly #listener: Server;
  readonly #token = randomBytes(16).toString('hex');
  /** Those that several files share, by worker. */
  #shared = new Map<string, Entry>();
  /** Those that nobody needs any more, but that somebody is still connected to. */
  #unused = new Set<DatabaseCopy>();
  /** Those in which a test has failed. */
  readonly #kept: { readonly name: string; readonly file: string }[] = [];

  private constructor(started: Started, options: KnownOptions, hooks: TestRunHooks) {
    this.database = started.database;
    this.#started = started;
    this.#options = options;
    this.#hooks = hooks;
    this.#listener = createServer((socket) => void this.#serve(socket).catch(() => socket.destroy()));
    this.#listener.unref();
  }

  static async start(options: RunDatabaseOptions, hooks: TestRunHooks = {}): Promise<TestRun> {
    const { isolation = 'file', keepOnFailure = Boolean(process.env.JIG_KEEP) } = options;
    if (!isolations.includes(isolation))
      throw optionInvalid(`The option isolation must be ${isolations.join(', ')}, not ${JSON.stringify(isolation)}.`);
    const settings = { max_connections: connections, ...options.settings };
    const started = await startWithServer({ ...options, settings });
    try {
      // Workers clone from it while they are connected to their own databases.
      if (options.migrations === undefined && options.seed === undefined) await started.server.keepTemplate();
      const run = new TestRun(started, { ...options, isolation, keepOnFailure }, hooks);
      await new Promise<void>((resolve, reject) => run.#listener.once('error', reject).listen(0, '127.0.0.1', resolve));
      return run;
    } catch (error) {
      await started.database.stop();
      throw error;
    }
  }

  /** For `leaseDatabase` of the workers. */
  get address(): string {
    const { port } = this.#listener.address() as { port: number };
    return `127.0.0.1:${port}/${this.#token}`;
  }

  /** What all tests of this run share, if they do. */
  async sharedDatabase(): Promise<DatabaseCopy | undefined> {
    return this.#options.isolation === 'run' ? this.#entryFor('').made : undefined;
  }

  /** Called before the tests run again, as in watch mode: nothing of the last time is seen. */
  async beginAnew(): Promise<void> {
    const entries = [...this.#shared.values()];
    this.#shared = new Map();
    for (const entry of entries) await this.#retire(entry);
  }

  /** Says on the terminal what is kept. */
  async stop(): Promise<void> {
    this.#listener.close();
    for (const entry of this.#shared.values()) if (this.#isKept(entry)) await this.#keep(entry);
    if (this.#kept.length === 0) return this.database.stop();
    for (const line of await keepDatabases(this.#started, this.#options, this.#kept)) console.error(line);
  }

  #isKept({ failed }: Entry): boolean {
    return this.#options.keepOnFailure && failed && this.#options.folder === undefined;
  }

  async #keep({ made, files }: Entry): Promise<void> {
    const copy = await made.catch(() => undefined);
    if (copy !== undefined) this.#kept.push({ name: copy.name, file: [...files].join(', ') });
  }

  async #serve(socket: Socket): Promise<void> {
    socket.unref();
    socket.on('error', () => {});
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    const request = parse<LeaseRequest & { token: string }>((await lines.next()).value);
    if (request?.token !== this.#token) {
      socket.destroy();
      return;
    }
    const entry = this.#options.isolation === 'file' ? this.#makeEntry() : this.#entryFor(request.worker);
    entry.files.add(relative('.', request.file) || request.file);
    socket.write(`${JSON.stringify(await answerOf(entry))}\n`);
    const outcome = parse<{ failed: boolean }>((await lines.next()).value);
    entry.failed ||= outcome?.failed ?? this.#hooks.hasFailed?.(request.file) ?? true;
    if (this.#options.isolation === 'file') await this.#retire(entry);
    socket.end();
  }

  #entryFor(worker: string): Entry {
    const key = this.#options.isolation === 'run' ? '' : worker;
    const entry = this.#shared.get(key) ?? this.#makeEntry();
    this.#shared.set(key, entry);
    return entry;
  }

  #makeEntry(): Entry {
    return { made: this.#started.server.clone(), files: new Set(), failed: false };
  }

  /** Drops it, and those of before, if nobody is connected: cutting a pool off that still lives would be an error in the tests. */
  async #retire(entry: Entry): Promise<void> {
    if (this.#isKept(entry)) return this.#keep(entry);
    const copy = await entry.made.catch(() => undefined);
    if (copy !== undefined) this.#unused.add(copy);
    for (const unused of this.#unused) {
      const isGone = await this.#started.server.dropUnused(unused.name).catch(() => true);
      if (isGone) this.#unused.delete(unused);
    }
  }
}

async function answerOf(entry: Entry): Promise<LeaseAnswer> {
  try {
    const { name, url, environment } = await entry.made;
    return { database: { name, url, environment } };
  } catch (error) {
    const code = error instanceof DatabaseError ? error.code : 'JIG_DATABASE_NOT_READY';
    return { error: { code, message: `No database could be made for this test file: ${errorMessage(error)}` } };
  }
}

/** Undefined when the connection was closed, or holds something else. */
function parse<Message>(line: string | undefined): Message | undefined {
  try {
    return line === undefined ? undefined : (JSON.parse(line) as Message);
  } catch {
    return undefined;
  }
}
