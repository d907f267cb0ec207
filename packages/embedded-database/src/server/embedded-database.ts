import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionOptions, databaseAddress, formatAddress } from '../connection/address.ts';
import { isDiskFull } from '../connection/connection-errors.ts';
import { answers } from '../connection/postgresql-client.ts';
import { Databases, emptyTemplate } from '../databases.ts';
import { DatabaseError, diskFull, errorMessage } from '../errors.ts';
import { ownName } from './initialise.ts';
import { fastShutdown, freePort, type LaunchOptions, launch, stopSteps } from './launch.ts';
import { serverIn } from './process-identity.ts';
import {
  closeFolder,
  ensureData,
  explainFolderError,
  type FolderOptions,
  filesIn,
  openFolder,
  type ServerFolder,
  writePassword,
} from './server-folder.ts';
import { endOrphan, type ServerProcess } from './server-process.ts';

export type State = 'starting' | 'ready' | 'restarting' | 'stopped' | 'failed';

/** The part of a logger that is used here. */
export interface StateLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Port 0 stands for any free one. */
export interface EmbeddedDatabaseOptions extends FolderOptions, LaunchOptions {
  readonly log: StateLog;
  /** Called with the password as soon as it is known, so that the caller can mask it. */
  readonly onSecret?: (secret: string) => void;
}

/** The pause before a restart, in milliseconds: doubled each time, and reset once the server was ready for `resetAfter`. */
const pauses = { first: 500, longest: 30_000, resetAfter: 60_000 };
/** How many times the first start is tried if it fails temporarily. */
const maxFirstTries = 5;

/** A PostgreSQL server in a folder of its own, which is started and stopped with the application, and restarted when it ends. */
export class EmbeddedDatabase {
  readonly engine = 'PostgreSQL';
  state: State = 'stopped';
  restarts = 0;
  readonly #options: EmbeddedDatabaseOptions;
  readonly #files: ReturnType<typeof filesIn>;
  readonly #stop = new AbortController();
  #failure: unknown;
  #folder: ServerFolder | undefined;
  #connection: ConnectionOptions | undefined;
  #run: ServerProcess | undefined;
  #readySince: number | undefined;
  #nextPause = pauses.first;
  /** The start, then the restarts. */
  #working: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;

  constructor(options: EmbeddedDatabaseOptions) {
    this.#options = options;
    this.#files = filesIn(options.home);
  }

  toJSON() {
    const { engine, version, state, pid, uptime, restarts, failure, address, persistent, dataFolder, logFile } = this;
    return { engine, version, state, pid, uptime, restarts, failure, address, persistent, dataFolder, logFile };
  }

  get version(): string | null {
    return this.#folder?.programs.version ?? null;
  }

  get pid(): number | null {
    return this.#run?.pid ?? null;
  }

  /** In milliseconds since it was last ready. */
  get uptime(): number | null {
    return this.#readySince === undefined ? null : Date.now() - this.#readySince;
  }

  /** Why it failed, or ended the last time. */
  get failure(): string | null {
    return this.#failure === undefined ? null : errorMessage(this.#failure);
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
    return this.#files.log;
  }

  /** Resolves when the server is ready. If it rejects, no process is left. */
  async start(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const stop = () => void this.stop();
    signal?.addEventListener('abort', stop, { once: true });
    const started = this.#start();
    this.#working = started.then(
      (folder) => this.#keepRunning(folder),
      () => {},
    );
    try {
      await started;
      signal?.throwIfAborted();
    } catch (thrown) {
      const error = explainFolderError(this.#options.home, thrown);
      this.#stopped ??= this.#shutDown(error);
      await this.#stopped;
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Can be called at any time and repeatedly. When it resolves, no process of the server and no temporary data is left. */
  stop(): Promise<void> {
    this.#stopped ??= this.#shutDown();
    return this.#stopped;
  }

  /** Connects as the application does, since a frozen server may look alive. */
  async health(): Promise<{ ok: boolean; state: string; details: Readonly<Record<string, unknown>> }> {
    const { engine, version, pid, restarts } = this;
    const ok = this.state === 'ready' && (await answers(this.connection()));
    const state = this.state === 'ready' && !ok ? 'no answer' : this.state;
    return { ok, state, details: { engine, version, pid, restarts } };
  }

  /** Includes the password. Throws before the start. */
  connection(): ConnectionOptions {
    if (this.#connection === undefined) throw this.#notReady();
    return this.#connection;
  }

  /** Sets the password for connections from now on. */
  async usePassword(password: string): Promise<void> {
    const connection = this.connection();
    if (connection.password === password) return;
    this.#connection = { ...connection, password };
    if (!this.persistent) return;
    await writePassword(this.#files.password, password);
    await this.#writeUrl();
  }

  describe(): string {
    return `database folder ${this.dataFolder}`;
  }

  /** Throws if the server is known to be down, so that callers do not wait for a time-out. */
  assertAvailable(): void {
    if (this.state !== 'ready') throw this.#notReady();
  }

  async #start(): Promise<ServerFolder> {
    const { port, fill, onSecret } = this.#options;
    const began = Date.now();
    this.#setState('starting', 'preparing PostgreSQL');
    const folder = await openFolder(this.#options);
    this.#folder = folder;
    const { title, password } = folder;
    onSecret?.(password);
    this.#connection = { host: '127.0.0.1', port, user: ownName, password, database: ownName };
    await this.#endOrphan(folder);
    await ensureData(folder, this.#options, {
      stop: this.#stop.signal,
      onInitialise: () => this.#log(`initialising ${title}, which happens once and takes a few seconds`),
    });
    await this.#launch(folder, true);
    if (fill === undefined) await this.#checkAccess(title);
    if (this.persistent) await this.#writeUrl();
    this.#stop.signal.throwIfAborted();
    this.#becomeReady(folder, began);
    return folder;
  }

  /** Stops a server that outlived an application that was killed. */
  async #endOrphan({ title, owner, files }: ServerFolder): Promise<void> {
    const orphan = owner.previousWasKilled ? await serverIn(files.data) : undefined;
    if (orphan === undefined) return;
    const { pid } = orphan;
    this.#log(`ending ${title} of an earlier run, which outlived its application`, 'warn', { pid });
    await endOrphan(orphan, fastShutdown);
  }

  /** Retries after failures. The first start throws permanent failures at once, and temporary ones after some tries. */
  async #launch(folder: ServerFolder, isFirst: boolean): Promise<void> {
    const { signal } = this.#stop;
    for (let tries = 1; ; tries++) {
      if (isFirst && this.#options.port === 0) this.#connection = { ...this.connection(), port: await freePort() };
      this.#log(`starting ${folder.title}`);
      try {
        const { port = 0 } = this.connection();
        this.#run = await launch(folder, { ...this.#options, port }, signal);
        return;
      } catch (error) {
        signal.throwIfAborted();
        const { code, isTemporary } = error as Partial<DatabaseError>;
        // Another program may have taken the free port first.
        const mayPass = isTemporary === true || (this.#options.port === 0 && code === 'JIG_DATABASE_PORT_TAKEN');
        if (isFirst && (!mayPass || tries === maxFirstTries)) throw error;
        await this.#pause(folder, error);
      }
    }
  }

  /** Connects as the application will, so that a wrong password is reported at the start. Creates the database in new data. */
  async #checkAccess(title: string): Promise<void> {
    const { data: folder, password: file } = this.#files;
    const databases = new Databases(this.connection());
    try {
      if (!(await databases.exists(ownName))) await databases.createFrom(ownName, emptyTemplate);
    } catch (cause) {
      if (isDiskFull(cause)) throw diskFull(this.describe(), { cause, fields: { folder } });
      if ((cause as { code?: string }).code === '28P01')
        throw new DatabaseError(
          'JIG_DATABASE_PASSWORD_WRONG',
          `${title} does not accept the password in ${file}: the data in ${folder} was made with another. Restore that file from the backup that the data is from; the data is untouched.`,
          { cause, fields: { file, folder } },
        );
      // Other errors, such as those of a slow server, do not prevent the start.
    } finally {
      await databases.close();
    }
  }

  /** Writes the URL for tools, as in `psql "$(cat .jig/database/url)"`. */
  async #writeUrl(): Promise<void> {
    await writePassword(this.#files.url, `${databaseAddress(this.connection()).url}\n`);
  }

  #becomeReady({ title }: ServerFolder, began: number): void {
    // The server alone does not keep Node running, and ends with it.
    this.#run?.unref();
    this.#readySince = Date.now();
    this.#setState('ready', `${title} is ready in ${((Date.now() - began) / 1000).toFixed(1)} s`);
  }

  /** Starts the server again whenever it ends, until it is stopped. */
  async #keepRunning(folder: ServerFolder): Promise<void> {
    try {
      for (;;) {
        const end = await this.#run?.ended;
        this.#stop.signal.throwIfAborted();
        if ((this.uptime ?? 0) >= pauses.resetAfter) this.#nextPause = pauses.first;
        const began = Date.now();
        await this.#pause(folder, `it ended with ${end}`);
        await this.#launch(folder, false);
        this.restarts++;
        this.#becomeReady(folder, began);
      }
    } catch (error) {
      // The state must not stay `ready` without a server.
      if (!this.#stop.signal.aborted) this.#fail(error);
    }
  }

  async #pause({ title }: ServerFolder, reason: unknown): Promise<void> {
    const pause = this.#nextPause;
    this.#nextPause = Math.min(2 * pause, pauses.longest);
    this.#run = undefined;
    this.#readySince = undefined;
    this.#failure = reason;
    const next = `trying again in ${pause / 1000} s`;
    this.#setState('restarting', `${title} is restarted: ${errorMessage(reason)}; ${next}`, 'warn');
    await sleep(pause, undefined, { signal: this.#stop.signal });
  }

  #fail(error: unknown): void {
    this.#failure = error;
    this.#setState('failed', 'PostgreSQL failed', 'error');
  }

  async #shutDown(error?: unknown): Promise<void> {
    const title = this.#folder?.title ?? 'PostgreSQL';
    this.#stop.abort(new DatabaseError('JIG_DATABASE_STOPPED', `${title} was stopped while it started.`));
    await this.#stopRun();
    await this.#working;
    // A start that was under way may have created another process.
    await this.#stopRun();
    if (this.#folder !== undefined) await closeFolder(this.#folder);
    if (error !== undefined) this.#fail(error);
    else if (this.state !== 'stopped') this.#setState('stopped', 'PostgreSQL has stopped');
  }

  async #stopRun(): Promise<void> {
    if (this.#folder === undefined || this.#run === undefined) return;
    this.#log(`stopping ${this.#folder.title}`);
    await this.#run.stop(stopSteps(this.#folder));
    this.#run = undefined;
    this.#readySince = undefined;
  }

  #setState(state: State, sentence: string, level: keyof StateLog = 'info'): void {
    const from = this.state;
    this.state = state;
    this.#log(sentence, level, { from, to: state, code: (this.#failure as { code?: string } | undefined)?.code });
  }

  /** Logs one line: a sentence for people, and facts for programs. */
  #log(sentence: string, level: keyof StateLog = 'info', facts: object = {}): void {
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
