import { rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ConnectionOptions, formatAddress } from './connection/connection-options.ts';
import type { Database, DatabaseHealth } from './database.ts';
import type { Engine, EngineServer } from './engines/engine.ts';
import { DatabaseError } from './errors.ts';
import { readOrCreatePassword, writePassword } from './password-file.ts';
import { preparePool } from './pool/database-pool.ts';
import { type SocketFolder, socketFolder } from './socket-folder.ts';
import { foldersIn, hasContent } from './supervisor/folders.ts';
import type { RestartPolicyOptions } from './supervisor/restart-policy.ts';
import { type RunAs, runAs } from './supervisor/run-as.ts';
import { ServerLog } from './supervisor/server-log.ts';
import type { State, StateLog } from './supervisor/state.ts';
import { Supervisor } from './supervisor/supervisor.ts';

export interface EmbeddedDatabaseOptions {
  readonly engine: Engine;
  /** The folder for data, password, socket and log. */
  readonly home: string;
  readonly socketFolder?: string;
  readonly port: number;
  /** As whom the server runs when the application runs as root. */
  readonly user: string;
  readonly temporary: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly startTimeout: number;
  /** 0: never. */
  readonly probeInterval: number;
  readonly log: StateLog;
  /** Called with the password as soon as it is known, so that the caller can mask it. */
  readonly onSecret?: (secret: string) => void;
  readonly restart?: RestartPolicyOptions;
  readonly initialiseArguments?: readonly string[];
  /** Fills an empty data folder with files that belong to the password in the password file. */
  readonly fill?: ((folder: string) => Promise<void>) | undefined;
  /** Whether Node goes on while the server runs, with nothing else to do. Default: true. */
  readonly keepsProcessAlive?: boolean | undefined;
  /** Called with each line of the server's output. */
  readonly onLine?: ((line: string) => void) | undefined;
}

/** A database server that lives with the application: an engine's server under a supervisor, in a folder of its own. */
export class EmbeddedDatabase implements Database {
  readonly #options: EmbeddedDatabaseOptions;
  readonly #serverLog: ServerLog;
  #supervisor: Supervisor | undefined;
  #server: EngineServer | undefined;
  #socketFolder: SocketFolder | undefined;

  constructor(options: EmbeddedDatabaseOptions) {
    this.#options = options;
    this.#serverLog = new ServerLog({ path: foldersIn(options.home).logFile, onLine: options.onLine });
  }

  get engine(): string {
    return this.#server?.product ?? this.#options.engine.name;
  }

  get version(): string | null {
    return this.#server?.version ?? null;
  }

  get state(): State {
    return this.#supervisor?.state ?? 'new';
  }

  get pid(): number | null {
    return this.#supervisor?.pid ?? null;
  }

  /** In milliseconds since it was last ready. */
  get uptime(): number | null {
    const since = this.#supervisor?.readySince;
    return since === undefined ? null : Date.now() - since;
  }

  get restarts(): number {
    return this.#supervisor?.restarts ?? 0;
  }

  get failure(): string | null {
    return this.#supervisor?.failure?.message ?? null;
  }

  get address(): string | null {
    return this.#server === undefined ? null : formatAddress(this.#server.connection);
  }

  get persistent(): boolean {
    return !this.#options.temporary;
  }

  get dataFolder(): string {
    const { home, engine, temporary } = this.#options;
    return join(home, temporary ? `${engine.folder}-temporary` : engine.folder);
  }

  get logFile(): string {
    return this.#serverLog.path;
  }

  async start(signal?: AbortSignal): Promise<void> {
    const user = await runAs(this.#options.user);
    signal?.throwIfAborted();
    const supervisor = this.#supervise(user);
    this.#supervisor = supervisor;
    const stop = () => void this.stop();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      await Promise.all([supervisor.start(), preparePool(this.#options.engine.dialect)]);
      signal?.throwIfAborted();
    } catch (error) {
      if (supervisor.state !== 'failed') await this.stop();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  async stop(options: { readonly keepsData?: boolean } = {}): Promise<void> {
    await this.#supervisor?.stop(options);
    // Only an empty folder can be removed this way.
    if (this.#socketFolder?.isTemporary === true) await rmdir(this.#socketFolder.path).catch(() => {});
  }

  health(): DatabaseHealth {
    const { state, engine, version, pid, restarts } = this;
    return { ok: state === 'ready', state, details: { engine, version, pid, restarts } };
  }

  connection(): ConnectionOptions {
    if (this.#server === undefined) throw this.#notReady();
    return this.#server.connection;
  }

  /** The password that the users of the server have from now on. */
  async usePassword(password: string): Promise<void> {
    if (this.#server === undefined || this.#server.connection.password === password) return;
    this.#serverLog.addSecret(password);
    if (!this.#options.temporary) await writePassword(this.#passwordFile, password);
    this.#server.connection = { ...this.#server.connection, password };
  }

  get #passwordFile(): string {
    return join(this.#options.home, `${this.#options.engine.folder}.password`);
  }

  /** Stops, and moves data that would be removed into a folder for another start. */
  async stopInto(folder: string): Promise<void> {
    const { engine } = this.#options;
    const { password } = this.connection();
    await this.stop({ keepsData: true });
    await rename(this.dataFolder, join(folder, engine.folder));
    await writePassword(join(folder, `${engine.folder}.password`), password);
  }

  describe(): string {
    return `database folder ${this.dataFolder}`;
  }

  /** An unhealthy server may answer again, and every query has a time-out. */
  assertAvailable(): void {
    if (this.state !== 'ready' && this.state !== 'unhealthy') throw this.#notReady();
  }

  suspect(): void {
    this.#supervisor?.suspect();
  }

  #supervise(user: RunAs | undefined): Supervisor {
    return new Supervisor({
      ...this.#options,
      folders: foldersIn(this.#options.home),
      user,
      serverLog: this.#serverLog,
      prepare: () => this.#prepare(user),
    });
  }

  async #prepare(user: RunAs | undefined): Promise<EngineServer> {
    const { engine, home, port, temporary, settings, onSecret, initialiseArguments = [] } = this.#options;
    const { dataFolder } = this;
    const dataExists = !temporary && (await hasContent(dataFolder));
    const passwordFile = this.#passwordFile;
    const secret = await readOrCreatePassword(passwordFile, { dataExists });
    this.#serverLog.addSecret(secret);
    onSecret?.(secret);
    this.#socketFolder = await socketFolder(this.#options.socketFolder, home, user);
    this.#server = await engine.server({
      dataFolder,
      socketFolder: this.#socketFolder.path,
      librariesFolder: join(home, 'lib'),
      port,
      password: secret,
      passwordFile,
      user,
      temporary,
      settings,
      initialiseArguments,
    });
    return this.#server;
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
