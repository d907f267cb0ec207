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

/** The port 0 is any that is free. */
export interface EmbeddedDatabaseOptions extends FolderOptions, LaunchOptions {
  readonly log: StateLog;
  /** Called with the password as soon as it is known, so that the caller can mask it. */
  readonly onSecret?: (secret: string) => void;
}

/** The pause before a restart, in milliseconds; each is twice the last, until the server was ready for so long. */
const pauses = { first: 500, longest: 30_000, resetAfter: 60_000 };
/** How often a first start is tried after temporary failures. */
const firstTries = 5;

/** A PostgreSQL server that lives with the application, in a folder of its own: started, restarted when it ends, and stopped. */
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

  /** Resolves when the server is ready. One that cannot start leaves no process behind. */
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
      this.#stopped ??= this.#end(error);
      await this.#stopped;
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
    const ok = this.state === 'ready' && (await answers(this.connection()));
    const state = this.state === 'ready' && !ok ? 'no answer' : this.state;
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
    if (this.state !== 'ready') throw this.#notReady();
  }

  async #start(): Promise<ServerFolder> {
    const { port, fill, onSecret } = this.#options;
    const began = Date.now();
    this.#become('starting', 'preparing PostgreSQL');
    const folder = await openFolder(this.#options);
    this.#folder = folder;
    const { title, password } = folder;
    onSecret?.(password);
    this.#connection = { host: '127.0.0.1', port, user: ownName, password, database: ownName };
    await this.#endOrphan(folder);
    await ensureData(folder, this.#options, {
      stop: this.#stop.signal,
      onInitialise: () => this.#say(`initialising ${title}, which happens once and takes a few seconds`),
    });
    await this.#launch(folder, true);
    if (fill === undefined) await this.#checkAccess(title);
    if (this.persistent) await this.#tellTools();
    this.#stop.signal.throwIfAborted();
    this.#becomeReady(folder, began);
    return folder;
  }

  /** Ends the server of an application that was killed. */
  async #endOrphan({ title, owner, files }: ServerFolder): Promise<void> {
    const orphan = owner.followsKilled ? await serverIn(files.data) : undefined;
    if (orphan === undefined) return;
    const { pid } = orphan;
    this.#say(`ending ${title} of an earlier run, which outlived its application`, 'warn', { pid });
    await endOrphan(orphan, fastShutdown);
  }

  /** Tries again after failures; those of a first start that will not pass are reported at once. */
  async #launch(folder: ServerFolder, isFirst: boolean): Promise<void> {
    const { signal } = this.#stop;
    for (let tries = 1; ; tries++) {
      if (isFirst && this.#options.port === 0) this.#connection = { ...this.connection(), port: await freePort() };
      this.#say(`starting ${folder.title}`);
      try {
        const { port = 0 } = this.connection();
        this.#run = await launch(folder, { ...this.#options, port }, signal);
        return;
      } catch (error) {
        signal.throwIfAborted();
        const { code, isTemporary } = error as Partial<DatabaseError>;
        // Another program may take a free port before the server does.
        const passes = isTemporary === true || (this.#options.port === 0 && code === 'JIG_DATABASE_PORT_TAKEN');
        if (isFirst && (!passes || tries === firstTries)) throw error;
        await this.#pause(folder, error);
      }
    }
  }

  /** Connects as the application will, so that a wrong password is reported at the start. New data gets its database here. */
  async #checkAccess(title: string): Promise<void> {
    const { data: folder, password: file } = this.#files;
    const databases = new Databases(this.connection());
    try {
      if (!(await databases.exists(ownName))) await databases.make(ownName, emptyTemplate);
    } catch (cause) {
      if (isDiskFull(cause)) throw diskFull(this.describe(), { cause, fields: { folder } });
      if ((cause as { code?: string }).code === '28P01')
        throw new DatabaseError(
          'JIG_DATABASE_PASSWORD_WRONG',
          `${title} does not accept the password in ${file}: the data in ${folder} was made with another. Restore that file from the backup that the data is from; the data is untouched.`,
          { cause, fields: { file, folder } },
        );
      // One that is only slow is used as it is.
    } finally {
      await databases.close();
    }
  }

  /** Such as `psql "$(cat .jig/database/url)"`. */
  async #tellTools(): Promise<void> {
    await writePassword(this.#files.url, `${databaseAddress(this.connection()).url}\n`);
  }

  #becomeReady({ title }: ServerFolder, began: number): void {
    // Node ends when it has nothing else to do; the server does then too.
    this.#run?.unref();
    this.#readySince = Date.now();
    this.#become('ready', `${title} is ready in ${((Date.now() - began) / 1000).toFixed(1)} s`);
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
      // A dead server must not stay in the state `ready`.
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
    this.#become('restarting', `${title} is restarted: ${errorMessage(reason)}; ${next}`, 'warn');
    await sleep(pause, undefined, { signal: this.#stop.signal });
  }

  #fail(error: unknown): void {
    this.#failure = error;
    this.#become('failed', 'PostgreSQL failed', 'error');
  }

  async #end(error?: unknown): Promise<void> {
    const title = this.#folder?.title ?? 'PostgreSQL';
    this.#stop.abort(new DatabaseError('JIG_DATABASE_STOPPED', `${title} was stopped while it started.`));
    await this.#stopRun();
    await this.#working;
    // The one that was being started.
    await this.#stopRun();
    if (this.#folder !== undefined) await closeFolder(this.#folder);
    if (error !== undefined) this.#fail(error);
    else if (this.state !== 'stopped') this.#become('stopped', 'PostgreSQL has stopped');
  }

  async #stopRun(): Promise<void> {
    if (this.#folder === undefined || this.#run === undefined) return;
    this.#say(`stopping ${this.#folder.title}`);
    await this.#run.stop(stopSteps(this.#folder));
    this.#run = undefined;
    this.#readySince = undefined;
  }

  #become(state: State, sentence: string, level: keyof StateLog = 'info'): void {
    const from = this.state;
    this.state = state;
    this.#say(sentence, level, { from, to: state, code: (this.#failure as { code?: string } | undefined)?.code });
  }

  /** One line: a sentence for people, and facts for programs. */
  #say(sentence: string, level: keyof StateLog = 'info', facts: object = {}): void {
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
