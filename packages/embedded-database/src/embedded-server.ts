import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine, EngineServer } from './engines/engine.ts';
import { password } from './password-file.ts';
import { type SocketFolder, socketFolder } from './socket-folder.ts';
import { foldersIn, holdsSomething } from './supervisor/folders.ts';
import type { RestartPolicyOptions } from './supervisor/restart-policy.ts';
import { runAs } from './supervisor/run-as.ts';
import { ServerLog } from './supervisor/server-log.ts';
import type { StateLog } from './supervisor/state-log.ts';
import { Supervisor } from './supervisor/supervisor.ts';

export interface EmbeddedServerOptions {
  readonly engine: Engine;
  /** The folder that holds all of it. */
  readonly home: string;
  readonly socketFolder?: string;
  readonly port: number;
  /** As whom the server runs when the application runs as root. */
  readonly user: string;
  readonly temporary: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly startTimeout: number;
  readonly probeInterval: number;
  readonly log: StateLog;
  /** Told of the password as soon as it is known, to keep it out of sight. */
  readonly onSecret?: (secret: string) => void;
  readonly restart?: RestartPolicyOptions;
}

/** An engine's server under a supervisor, in a folder of its own. */
export class EmbeddedServer {
  readonly supervisor: Supervisor;
  readonly dataFolder: string;
  readonly logFile: string;
  readonly #options: EmbeddedServerOptions;
  readonly #serverLog: ServerLog;
  #server: EngineServer | undefined;
  #socketFolder: SocketFolder | undefined;

  private constructor(options: EmbeddedServerOptions, user: Awaited<ReturnType<typeof runAs>>) {
    const folders = foldersIn(options.home);
    this.#options = options;
    this.logFile = folders.logFile;
    this.dataFolder = join(
      options.home,
      options.temporary ? `${options.engine.folder}-temporary` : options.engine.folder,
    );
    this.#serverLog = new ServerLog({ path: folders.logFile });
    const { log, temporary, startTimeout, probeInterval, restart = {} } = options;
    this.supervisor = new Supervisor({
      title: 'the database server',
      folders,
      user,
      log,
      temporary,
      startTimeout,
      probeInterval,
      restart,
      serverLog: this.#serverLog,
      prepare: () => this.#prepare(user),
    });
  }

  static async create(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
    return new EmbeddedServer(options, await runAs(options.user));
  }

  /** Known once the server was prepared. */
  get server(): EngineServer | undefined {
    return this.#server;
  }

  start(): Promise<void> {
    return this.supervisor.start();
  }

  async stop(): Promise<void> {
    await this.supervisor.stop();
    // Only an empty folder can be removed this way.
    if (this.#socketFolder?.isTemporary === true) await rmdir(this.#socketFolder.path).catch(() => {});
  }

  async #prepare(user: Awaited<ReturnType<typeof runAs>>): Promise<EngineServer> {
    const { engine, home, port, temporary, settings, onSecret } = this.#options;
    const dataExists = !temporary && (await holdsSomething(this.dataFolder));
    const passwordFile = join(home, `${engine.folder}.password`);
    const secret = await password(passwordFile, { dataExists });
    this.#serverLog.hide(secret);
    onSecret?.(secret);
    this.#socketFolder = await socketFolder(this.#options.socketFolder, home, user);
    this.#server = await engine.server({
      dataFolder: this.dataFolder,
      socketFolder: this.#socketFolder.path,
      librariesFolder: join(home, 'lib'),
      port,
      password: secret,
      passwordFile,
      user,
      temporary,
      settings,
    });
    return this.#server;
  }
}
