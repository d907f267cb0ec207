import { formatAddress } from './address.ts';
import type { Database, DatabaseHealth } from './database.ts';
import { EmbeddedServer, type EmbeddedServerOptions } from './embedded-server.ts';
import type { ConnectionOptions } from './engines/engine.ts';
import { DatabaseError } from './errors.ts';
import { preparePool } from './pool/open-pool.ts';

/** A database server that lives with the application. */
export class EmbeddedDatabase implements Database {
  readonly #options: EmbeddedServerOptions;
  #server: EmbeddedServer | undefined;

  constructor(options: EmbeddedServerOptions) {
    this.#options = options;
  }

  get engine(): string {
    return this.#server?.server?.product ?? this.#options.engine.name;
  }

  get version(): string | null {
    return this.#server?.server?.version ?? null;
  }

  get state(): string {
    return this.#server?.supervisor.state ?? 'new';
  }

  get pid(): number | null {
    return this.#server?.supervisor.pid ?? null;
  }

  /** In milliseconds since it was last ready. */
  get uptime(): number | null {
    const since = this.#server?.supervisor.readySince;
    return since === undefined ? null : Date.now() - since;
  }

  get restarts(): number {
    return this.#server?.supervisor.restarts ?? 0;
  }

  get failure(): string | null {
    const failure = this.#server?.supervisor.failure;
    return failure === undefined ? null : failure.message;
  }

  get address(): string | null {
    const connection = this.#server?.server?.connection;
    return connection === undefined ? null : formatAddress(connection);
  }

  get persistent(): boolean {
    return !this.#options.temporary;
  }

  get dataFolder(): string | null {
    return this.#server?.dataFolder ?? null;
  }

  get logFile(): string | null {
    return this.#server?.logFile ?? null;
  }

  async start(signal?: AbortSignal): Promise<void> {
    const server = await EmbeddedServer.create(this.#options);
    signal?.throwIfAborted();
    this.#server = server;
    const stop = () => void server.stop();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      await Promise.all([server.start(), preparePool(this.#options.engine.dialect)]);
      signal?.throwIfAborted();
    } catch (error) {
      if (server.supervisor.state !== 'failed') await server.stop();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  health(): DatabaseHealth {
    const { state, engine, version, pid, restarts } = this;
    return { ok: state === 'ready', state, details: { engine, version, pid, restarts } };
  }

  connection(): ConnectionOptions {
    const connection = this.#server?.server?.connection;
    if (connection === undefined) throw notReady(this);
    return connection;
  }

  describe(): string {
    return `database folder ${this.dataFolder ?? this.#options.home}`;
  }

  /** An unhealthy server may answer again, and whoever asks has a time-out. */
  assertAvailable(): void {
    if (this.state !== 'ready' && this.state !== 'unhealthy') throw notReady(this);
  }

  suspect(): void {
    this.#server?.supervisor.suspect();
  }
}

function notReady({ engine, state }: EmbeddedDatabase): Error {
  return new DatabaseError(
    'JIG_DATABASE_NOT_READY',
    `${engine} is ${state}; try again when /health says that it is ready.`,
    { fields: { state }, isTemporary: state !== 'failed' },
  );
}
