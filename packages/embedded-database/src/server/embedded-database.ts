import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionOptions, databaseAddress, formatAddress } from '../connection/address.ts';
import { isDiskFull } from '../connection/connection-errors.ts';
import { answers } from '../connection/postgresql-client.ts';
import { Databases, emptyTemplate } from '../databases.ts';
import { DatabaseError, diskFullSentence, errorMessage } from '../errors.ts';
import { explainFolderError, filesIn } from './folders.ts';
import { ownName, writePassword } from './initialise.ts';
import { fastShutdown, freePort, type LaunchOptions, launch, stopSteps, throwIfStopped } from './launch.ts';
import { serverIn } from './process-identity.ts';
import {
  closeFolder,
  ensureData,
  type FolderOptions,
  type NewData,
  openFolder,
  type ServerFolder,
} from './server-folder.ts';
import { endOrphan, type ServerProcess } from './server-process.ts';

export type State = 'starting' | 'ready' | 'restarting' | 'stopped' | 'failed';

/** The part of a logger that is used here. */
export interface StateLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The port is on the loopback address; 0 for any that is free. */
export interface EmbeddedDatabaseOptions extends FolderOptions, NewData, LaunchOptions {
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
  readonly #options: EmbeddedDatabaseOptions;
  readonly #files: ReturnType<typeof filesIn>;
  readonly #stop = new AbortController();
  #state: State = 'stopped';
  #failure: unknown;
  #folder: ServerFolder | undefined;
  #connection: ConnectionOptions | undefined;
  #run: ServerProcess | undefined;
  #readySince: number | undefined;
  #restarts = 0;
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
    const { home, onSecret } = this.#options;
    const began = Date.now();
    try {
      this.#become('starting', 'preparing PostgreSQL');
      const folder = await openFolder(this.#options);
      this.#folder = folder;
      const { password } = folder;
      onSecret?.(password);
      this.#connection = { host: '127.0.0.1', port: this.#options.port, user: ownName, password, database: ownName };
      await this.#endOrphan(folder);
      await ensureData(folder, this.#options, {
        stop: this.#stop.signal,
        onInitialise: () => this.#say(`initialising ${folder.title}, which happens once and takes a few seconds`),
      });
      const run = await this.#launchFirst(folder);
      if (this.#options.fill === undefined) await this.#checkAccess(folder);
      if (this.persistent) await this.#tellTools();
      throwIfStopped(folder, this.#stop.signal);
      this.#becomeReady(folder, began);
      this.#working = this.#keepRunning(folder, run).catch((error: unknown) => {
        // It ends by an error when it is stopped; any other must not leave a dead server in the state `ready`.
        if (!this.#stop.signal.aborted) this.#fail(error);
      });
    } catch (thrown) {
      const error = explainFolderError(home, thrown);
      await this.#cleanUp();
      if (!this.#stop.signal.aborted) this.#fail(error);
      throw error;
    }
  }

  /** Ends the server of an application that was killed. */
  async #endOrphan({ title, owner, files }: ServerFolder): Promise<void> {
    const orphan = owner.followsKilled ? await serverIn(files.data) : undefined;
    if (orphan === undefined) return;
    const { pid } = orphan;
    this.#say(`ending ${title} of an earlier run, which outlived its application`, 'warn', { pid });
    await endOrphan(orphan, fastShutdown);
  }

  /** A first start is retried only for temporary failures; others are reported at once. */
  async #launchFirst(folder: ServerFolder): Promise<ServerProcess> {
    const { port } = this.#options;
    for (let tries = 1; ; tries++) {
      if (port === 0) this.#connection = { ...this.connection(), port: await freePort() };
      try {
        return await this.#launch(folder);
      } catch (error) {
        const { code, isTemporary } = error as Partial<DatabaseError>;
        // Another program may take a free port before the server does.
        const passes = isTemporary === true || (port === 0 && code === 'JIG_DATABASE_PORT_TAKEN');
        if (!passes || tries === firstTries) throw error;
        await this.#pause(folder, pauses.first, error);
      }
    }
  }

  async #launch(folder: ServerFolder): Promise<ServerProcess> {
    this.#say(`starting ${folder.title}`);
    const { port = 0 } = this.connection();
    this.#run = await launch(folder, { ...this.#options, port }, this.#stop.signal);
    throwIfStopped(folder, this.#stop.signal);
    return this.#run;
  }

  /** Connects as the application will, so that a wrong password is reported at the start. New data gets its database here. */
  async #checkAccess({ title }: ServerFolder): Promise<void> {
    const { data: folder, password: file } = this.#files;
    const databases = new Databases(this.connection());
    try {
      if (!(await databases.exists(ownName))) await databases.make(ownName, emptyTemplate);
    } catch (cause) {
      const { code } = cause as { code?: string };
      if (code === '28P01')
        throw new DatabaseError(
          'JIG_DATABASE_PASSWORD_WRONG',
          `${title} does not accept the password in ${file}: the data in ${folder} was made with another. Restore that file from the backup that the data is from; the data is untouched.`,
          { cause, fields: { file, folder } },
        );
      if (isDiskFull(cause))
        throw new DatabaseError('JIG_DATABASE_DISK_FULL', diskFullSentence(this.describe()), {
          cause,
          fields: { folder },
        });
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
    this.#run?.keepProcessAlive(false);
    this.#readySince = Date.now();
    this.#become('ready', `${title} is ready in ${((Date.now() - began) / 1000).toFixed(1)} s`);
  }

  /** Starts the server again whenever it ends, until it is stopped. */
  async #keepRunning(folder: ServerFolder, first: ServerProcess): Promise<void> {
    let pause = pauses.first;
    for (let running = first; ; ) {
      let why: unknown = `it ended with ${await running.ended}`;
      if (this.#stop.signal.aborted) return;
      if ((this.uptime ?? 0) >= pauses.resetAfter) pause = pauses.first;
      const began = Date.now();
      for (let next: ServerProcess | undefined; next === undefined; ) {
        await this.#pause(folder, pause, why);
        pause = Math.min(2 * pause, pauses.longest);
        try {
          next = await this.#launch(folder);
          running = next;
        } catch (error) {
          why = error;
        }
      }
      this.#restarts++;
      this.#becomeReady(folder, began);
    }
  }

  async #pause({ title }: ServerFolder, pause: number, reason: unknown): Promise<void> {
    const { signal } = this.#stop;
    signal.throwIfAborted();
    this.#run = undefined;
    this.#readySince = undefined;
    this.#failure = reason;
    this.#become(
      'restarting',
      `${title} is restarted: ${errorMessage(reason)}; trying again in ${pause / 1000} s`,
      'warn',
    );
    await sleep(pause, undefined, { signal });
  }

  #fail(error: unknown): void {
    this.#failure = error;
    this.#become('failed', 'PostgreSQL failed', 'error');
  }

  async #end(): Promise<void> {
    this.#stop.abort();
    const folder = this.#folder;
    if (folder !== undefined && this.#run !== undefined) {
      this.#say(`stopping ${folder.title}`);
      await this.#run.stop(stopSteps(folder));
    }
    await this.#working;
    await this.#cleanUp();
    if (this.#state !== 'stopped') this.#become('stopped', 'PostgreSQL has stopped');
  }

  async #cleanUp(): Promise<void> {
    const folder = this.#folder;
    if (folder === undefined) return;
    await this.#run?.stop(stopSteps(folder));
    this.#run = undefined;
    this.#readySince = undefined;
    await closeFolder(folder);
  }

  #become(state: State, sentence: string, level: keyof StateLog = 'info'): void {
    const from = this.#state;
    this.#state = state;
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
