import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionOptions, databaseAddress, formatAddress } from '../connection/address.ts';
import { isDiskFull } from '../connection/connection-errors.ts';
import { answers, probe } from '../connection/postgresql-client.ts';
import { DatabaseError, diskFullSentence, errorMessage } from '../errors.ts';
import { DataDirAccess } from './data-dir-access.ts';
import { FolderOwner } from './folder-owner.ts';
import {
  explainFolderError,
  filesIn,
  fillFolder,
  hasContent,
  prepareFolders,
  removeDrafts,
  removeFolder,
} from './folders.ts';
import { checkData, initialise, ownName, readOrCreatePassword, writePassword } from './initialise.ts';
import { launch, runToEnd, throwIfStopped } from './launch.ts';
import { serverIn } from './process-identity.ts';
import { libraryEnvironment, type PostgresqlPrograms, requirePrograms } from './programs.ts';
import { runAs } from './run-as.ts';
import { ServerLog } from './server-log.ts';
import {
  endOrphan,
  type ServerCommand,
  type ServerProcess,
  type SpawnContext,
  type StopStep,
} from './server-process.ts';

export type State = 'starting' | 'ready' | 'restarting' | 'stopped' | 'failed';

/** The part of a logger that is used here. */
export interface StateLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface EmbeddedDatabaseOptions {
  /** The folder for data, password and log. */
  readonly home: string;
  /** Default: those of the PostgreSQL that comes along. */
  readonly programs?: PostgresqlPrograms;
  /** By which texts are compared in a new database, as `en-US`. */
  readonly locale?: string | undefined;
  /** On the loopback address; 0 for any that is free. */
  readonly port: number;
  /** As whom the server runs when the application runs as root. */
  readonly user: string;
  /** The data is removed when the server stops, so speed counts more than durability. */
  readonly temporary: boolean;
  /** The server's own settings, by its own names. */
  readonly settings: Readonly<Record<string, string>>;
  /** In milliseconds. */
  readonly startTimeout: number;
  readonly log: StateLog;
  /** Called with the password as soon as it is known, so that the caller can mask it. */
  readonly onSecret?: (secret: string) => void;
  readonly restart?: Partial<RestartPauses>;
  /** More arguments for `initdb`. */
  readonly initialiseArguments?: readonly string[];
  /** Fills an empty data folder with files that belong to the password in the password file. */
  readonly fill?: ((folder: string) => Promise<void>) | undefined;
  /** Called with each line of the server's output. */
  readonly onLine?: ((line: string) => void) | undefined;
}

/** In milliseconds; each pause is twice the last. */
interface RestartPauses {
  readonly initialDelay: number;
  readonly maximumDelay: number;
  readonly maximumRetries: number;
}

/** Retries are counted anew once the server was ready for this long, in milliseconds. */
const resetAfter = 60_000;

/** SIGTERM would wait for every client to leave, so it begins with the fast shutdown. */
const fastShutdown: readonly StopStep[] = [
  ['SIGINT', 5000],
  ['SIGQUIT', 2000],
];
/** Tests stop a server right after `pool.end()` of pg, which does not wait for its connections; cutting them off would be an uncaught error. */
const leave: StopStep = ['SIGTERM', 500];

/** A PostgreSQL server that lives with the application, in a folder of its own: started, restarted when it ends, and stopped. */
export class EmbeddedDatabase {
  readonly engine = 'PostgreSQL';
  readonly #options: EmbeddedDatabaseOptions;
  readonly #files: ReturnType<typeof filesIn>;
  readonly #log: ServerLog;
  readonly #pauses: RestartPauses;
  readonly #stop = new AbortController();
  #state: State = 'stopped';
  #failure: Error | undefined;
  #owner: FolderOwner | undefined;
  #access: DataDirAccess | undefined;
  #programs: PostgresqlPrograms | undefined;
  #connection: ConnectionOptions | undefined;
  #run: ServerProcess | undefined;
  #readySince: number | undefined;
  #restarts = 0;
  #retries = 0;
  #working: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;

  constructor(options: EmbeddedDatabaseOptions) {
    const { home, onLine, restart } = options;
    this.#options = options;
    this.#files = filesIn(home);
    this.#pauses = { initialDelay: 500, maximumDelay: 30_000, maximumRetries: 5, ...restart };
    this.#log = new ServerLog(this.#files.log, onLine);
  }

  get version(): string | null {
    return this.#programs?.version ?? null;
  }

  get state(): State {
    return this.#state;
  }

  get pid(): number | null {
    return this.#run?.pid ?? null;
  }

  /** In milliseconds since it was last ready. */
  get uptime(): number | null {
    return this.#readySince === undefined ? null : Date.now() - this.#readySince;
  }

  get restarts(): number {
    return this.#restarts;
  }

  get failure(): string | null {
    return this.#failure?.message ?? null;
  }

  /** Without the password. */
  get address(): string | null {
    return this.#connection === undefined ? null : formatAddress(this.#connection);
  }

  get persistent(): boolean {
    return !this.#options.temporary;
  }

  get dataFolder(): string {
    return this.#files.data;
  }

  get logFile(): string {
    return this.#log.path;
  }

  /** Resolves when the server is ready. One that cannot start leaves no process behind. */
  async start(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const stop = () => void this.stop();
    signal?.addEventListener('abort', stop, { once: true });
    const started = this.#start();
    this.#working = started.catch(() => {});
    try {
      await started;
      signal?.throwIfAborted();
    } catch (error) {
      if (this.#state !== 'failed') await this.stop();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Can be called twice, and at any time; no process of the server is left when it resolves, and no temporary data. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  /** As the application connects, which a server that is frozen does not answer. */
  async health(): Promise<{ ok: boolean; state: string; details: Readonly<Record<string, unknown>> }> {
    const { engine, version, pid, restarts } = this;
    const ok = this.#state === 'ready' && (await answers(this.connection()));
    const state = this.#state === 'ready' && !ok ? 'no answer' : this.#state;
    return { ok, state, details: { engine, version, pid, restarts } };
  }

  /** With the password; known once it has started. */
  connection(): ConnectionOptions {
    if (this.#connection === undefined) throw this.#notReady();
    return this.#connection;
  }

  /** The password that the users of the server have from now on. */
  async usePassword(password: string): Promise<void> {
    const connection = this.connection();
    if (connection.password === password) return;
    this.#connection = { ...connection, password };
    if (!this.persistent) return;
    await writePassword(this.#files.password, password);
    await this.#tellTools();
  }

  describe(): string {
    return `database folder ${this.dataFolder}`;
  }

  /** Throws when it is known to be down, so that callers do not wait for a time-out. */
  assertAvailable(): void {
    if (this.#state !== 'ready') throw this.#notReady();
  }

  async #start(): Promise<void> {
    const began = Date.now();
    try {
      this.#become('starting', `preparing ${this.engine}`);
      const context = await this.#prepare();
      await this.#launchFirst(context);
      if (this.persistent) {
        await this.#checkAccess();
        await this.#tellTools();
      }
      throwIfStopped(this.#title, this.#stop.signal);
      this.#becomeReady(context, began);
    } catch (thrown) {
      const error = explainFolderError(this.#options.home, thrown);
      await this.#cleanUp();
      // The caller of start() reports why it failed.
      if (!this.#stop.signal.aborted) this.#fail(error);
      throw error;
    }
  }

  /** Everything that is done once, before the first launch. */
  async #prepare(): Promise<SpawnContext> {
    const { home, programs, port, temporary, log, onSecret } = this.#options;
    const user = await runAs(this.#options.user);
    await prepareFolders(home, user);
    this.#owner = await FolderOwner.take(this.#files.owner);
    this.#programs = programs ?? (await requirePrograms({}, user));
    this.#access = await DataDirAccess.to(home, user);
    const { data } = this.#files;
    const dataExists = !temporary && (await hasContent(data));
    const password = await readOrCreatePassword(this.#files.password, { dataExists });
    onSecret?.(password);
    this.#connection = { host: '127.0.0.1', port, user: ownName, password, database: ownName };
    const orphan = this.#owner.followsKilled ? await serverIn(data) : undefined;
    if (orphan !== undefined) {
      const { pid } = orphan;
      log.warn({ facts: { pid } }, `ending ${this.#title} of an earlier run, which outlived its application`);
      await endOrphan(orphan, fastShutdown);
    }
    await removeDrafts(data);
    if (temporary) await removeFolder(data);
    const context = { access: this.#access, user, log: this.#log };
    await this.#ensureData(context, password, this.#programs);
    return context;
  }

  /** Makes a new database where there is none; data that is there is looked at, never touched. */
  async #ensureData(context: SpawnContext, password: string, programs: PostgresqlPrograms): Promise<void> {
    const { locale, fill, initialiseArguments: more = [] } = this.#options;
    const { data: dataFolder } = this.#files;
    const { user } = context;
    if (await hasContent(dataFolder)) return checkData(dataFolder, programs.version);
    if (fill !== undefined) {
      await fillFolder(dataFolder, user, fill, { flush: false });
      return throwIfStopped(this.#title, this.#stop.signal);
    }
    this.#say('info', `initialising ${this.#title}, which happens once and takes a few seconds`);
    const made = { programs, env: await this.#environment(), user, password, locale, more };
    const place = { title: this.#title, dataFolder, port: 0 };
    const run = (command: ServerCommand) => runToEnd(place, command, context, this.#stop.signal);
    await fillFolder(dataFolder, user, (draft) => initialise(draft, made, run), { flush: true });
  }

  /** A first start is tried again only for what passes by itself; anything else is better told at once. */
  async #launchFirst(context: SpawnContext): Promise<void> {
    const { port } = this.#options;
    for (;;) {
      if (port === 0) this.#connection = { ...this.connection(), port: await freePort() };
      try {
        return await this.#launch(context);
      } catch (error) {
        const { code, isTemporary } = error as Partial<DatabaseError>;
        // Another program may take a free port before the server does.
        const passes = isTemporary === true || (port === 0 && code === 'JIG_DATABASE_PORT_TAKEN');
        const pause = passes ? this.#nextPause() : undefined;
        if (pause === undefined) throw error;
        await this.#pause(pause, error);
      }
    }
  }

  async #launch(context: SpawnContext): Promise<void> {
    this.#say('info', `starting ${this.#title}`);
    const { port = 0 } = this.connection();
    const server = {
      title: this.#title,
      dataFolder: this.#files.data,
      port,
      command: await this.#command(port),
      stopSteps: this.#stopSteps,
      startTimeout: this.#options.startTimeout,
    };
    this.#run = await launch(server, context, this.#stop.signal);
  }

  async #command(port: number): Promise<ServerCommand> {
    const { settings, temporary } = this.#options;
    const ours = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: '',
      logging_collector: 'off',
      log_destination: 'stderr',
    };
    const unsafe = temporary ? { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' } : {};
    const all = Object.entries({ log_checkpoints: 'off', ...unsafe, ...settings, ...ours });
    const wrong = all.find(([name]) => !/^[A-Za-z][\w.-]*$/.test(name));
    // They become arguments, so they must look like names.
    if (wrong !== undefined)
      throw new DatabaseError(
        'JIG_DATABASE_SETTING_REFUSED',
        `PostgreSQL does not accept the setting "${wrong[0]}" (database.serverSettings, settings). Correct or remove it.`,
        { fields: { setting: wrong[0] } },
      );
    const args = ['-D', this.#files.data, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
    return { file: this.#programs?.postgres ?? '', args, env: await this.#environment() };
  }

  #environment(): Promise<Record<string, string>> {
    return libraryEnvironment(this.#programs?.native, this.#files.libraries);
  }

  /** Connects as the application will, so that a wrong password is reported at the start. */
  async #checkAccess(): Promise<void> {
    const { data: folder, password: file } = this.#files;
    try {
      await probe(this.connection());
    } catch (cause) {
      const { code } = cause as { code?: string };
      if (code === '28P01')
        throw new DatabaseError(
          'JIG_DATABASE_PASSWORD_WRONG',
          `${this.#title} does not accept the password in ${file}: the data in ${folder} was made with another. Restore that file from the backup that the data is from; the data is untouched.`,
          { cause, fields: { file, folder } },
        );
      if (isDiskFull(cause))
        throw new DatabaseError('JIG_DATABASE_DISK_FULL', diskFullSentence(this.describe()), {
          cause,
          fields: { folder },
        });
      // One that is only slow is used as it is.
    }
  }

  /** Such as `psql "$(cat .jig/database/url)"`. */
  async #tellTools(): Promise<void> {
    await writePassword(this.#files.url, `${databaseAddress(this.connection()).url}\n`);
  }

  #becomeReady(context: SpawnContext, began: number): void {
    const run = this.#run;
    // Node ends when it has nothing else to do; the server does then too.
    run?.keepProcessAlive(false);
    this.#readySince = Date.now();
    this.#become('ready', `${this.#title} is ready in ${((Date.now() - began) / 1000).toFixed(1)} s`);
    void run?.ended.then((end) => {
      if (this.#stop.signal.aborted) return;
      this.#working = this.#restart(context, `it ended with ${end}`).catch((error: unknown) => {
        // A failed restart while stopping is expected; any other must not leave a dead server in the state `ready`.
        if (!this.#stop.signal.aborted) this.#fail(error, errorMessage(error));
      });
    });
  }

  async #restart(context: SpawnContext, why: string): Promise<void> {
    if (this.#readySince !== undefined && Date.now() - this.#readySince >= resetAfter) this.#retries = 0;
    this.#readySince = undefined;
    const began = Date.now();
    for (let reason: unknown = why; ; ) {
      this.#run = undefined;
      // Once there is room again, the server must come back by itself.
      const isFull = reason instanceof DatabaseError && reason.code === 'JIG_DATABASE_DISK_FULL';
      const pause = this.#nextPause() ?? (isFull ? this.#pauses.maximumDelay : undefined);
      if (pause === undefined) return this.#giveUp(reason);
      await this.#pause(pause, reason);
      try {
        await this.#launch(context);
        this.#restarts++;
        return this.#becomeReady(context, began);
      } catch (error) {
        reason = error;
      }
    }
  }

  /** In milliseconds; undefined when it is time to give up. */
  #nextPause(): number | undefined {
    const { initialDelay, maximumDelay, maximumRetries } = this.#pauses;
    if (this.#retries === maximumRetries) return undefined;
    return Math.min(initialDelay * 2 ** this.#retries++, maximumDelay);
  }

  async #pause(pause: number, reason: unknown): Promise<void> {
    const why = `${errorMessage(reason)}; trying again in ${pause / 1000} s`;
    this.#become('restarting', `${this.#title} is restarted: ${why}`, 'warn');
    await sleep(pause, undefined, { signal: this.#stop.signal });
  }

  #giveUp(cause: unknown): void {
    const what = `did not stay up and is not tried again; fix it, and restart the application. The last time: ${errorMessage(cause)}`;
    this.#fail(new DatabaseError('JIG_DATABASE_GAVE_UP', `${this.#title} ${what}`, { cause }), `it ${what}`);
  }

  #fail(error: unknown, reason?: string): void {
    this.#failure = error instanceof Error ? error : new Error(String(error));
    this.#become('failed', `${this.#title} failed${reason === undefined ? '' : `: ${reason}`}`, 'error');
  }

  async #end(): Promise<void> {
    this.#stop.abort();
    if (this.#run !== undefined) this.#say('info', `stopping ${this.#title}`);
    await this.#working;
    await this.#cleanUp();
    if (this.#state !== 'stopped') this.#become('stopped', `${this.#title} has stopped`);
  }

  async #cleanUp(): Promise<void> {
    const { data, url } = this.#files;
    await this.#run?.stop(this.#stopSteps);
    this.#run = undefined;
    this.#readySince = undefined;
    if (this.#owner === undefined) return;
    await (this.#options.temporary ? removeFolder(data) : rm(url, { force: true }));
    await this.#log.written();
    await this.#access?.close();
    await this.#owner.release();
  }

  get #stopSteps(): readonly StopStep[] {
    return this.#options.temporary ? [leave, ...fastShutdown] : fastShutdown;
  }

  get #title(): string {
    return this.version === null ? this.engine : `${this.engine} ${this.version}`;
  }

  #become(state: State, sentence: string, level: 'info' | 'warn' | 'error' = 'info'): void {
    const from = this.#state;
    this.#state = state;
    this.#say(level, sentence, { from, to: state, code: (this.#failure as { code?: string } | undefined)?.code });
  }

  /** One line: a sentence for people, and facts for programs. */
  #say(level: 'info' | 'warn' | 'error', sentence: string, facts: object = {}): void {
    this.#options.log[level]({ facts }, sentence);
  }

  #notReady(): DatabaseError {
    const { engine, state } = this;
    return new DatabaseError(
      'JIG_DATABASE_NOT_READY',
      `${engine} is ${state}; try again when /health says that it is ready.`,
      { fields: { state }, isTemporary: state !== 'failed' },
    );
  }
}

function freePort(): Promise<number> {
  return new Promise((resolved, reject) => {
    const server = createServer();
    server.on('error', (cause) =>
      reject(
        new DatabaseError(
          'JIG_DATABASE_PORT_TAKEN',
          `No port is free on the loopback address: ${errorMessage(cause)}. Close some connections.`,
          { cause },
        ),
      ),
    );
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolved(port));
    });
  });
}
