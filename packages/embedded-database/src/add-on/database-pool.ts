import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { isLostConnection } from '../connection/connection-errors.ts';
import { type ClientTimeouts, PostgresqlClient, postgresqlConfig } from '../connection/postgresql-client.ts';
import { DatabaseError, errorMessage } from '../errors.ts';
import type { Database } from './database.ts';

export interface PoolOptions extends ClientTimeouts {
  /** The most connections at once. */
  readonly size: number;
}

const closeTimeout = 1000;

/** Connections to the database for the whole application: a pool of `pg`, with time-outs. It keeps working after a restart of the server. */
export class DatabasePool {
  readonly #database: Database;
  readonly #options: PoolOptions;
  #pool: Pool | undefined;

  constructor(database: Database, options: PoolOptions) {
    this.#database = database;
    this.#options = options;
  }

  toJSON() {
    const { size, open, idle, waiting, connectTimeout, queryTimeout } = this;
    return { size, open, idle, waiting, connectTimeout, queryTimeout };
  }

  /** The most connections at once. */
  get size(): number {
    return this.#options.size;
  }

  get open(): number | null {
    return this.#pool?.totalCount ?? null;
  }

  get idle(): number | null {
    return this.#pool?.idleCount ?? null;
  }

  /** How many wait for a connection. */
  get waiting(): number | null {
    return this.#pool?.waitingCount ?? null;
  }

  get connectTimeout(): number {
    return this.#options.connectTimeout;
  }

  get queryTimeout(): number {
    return this.#options.queryTimeout;
  }

  async start(): Promise<void> {
    const config = postgresqlConfig(this.#database.connection(), this.#options);
    const pool = new Pool({ ...config, Client: PostgresqlClient, max: this.size, idleTimeoutMillis: 60_000 });
    // A lost connection emits `error`, which would end this process without a listener.
    pool.on('error', () => {});
    pool.on('connect', (client) => {
      client.on('error', () => {});
      this.#translateErrors(client, ['query']);
    });
    this.#translateErrors(pool, ['connect', 'query']);
    this.#pool = pool;
  }

  /** A connection that hangs does not keep the application from stopping. */
  async stop(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    await Promise.race([pool?.end().catch(() => {}), sleep(closeTimeout, undefined, { ref: false })]);
  }

  /** The pool of `pg`. Throws while the database is known to be down. */
  postgresql(): Pool {
    if (this.#pool === undefined)
      throw new DatabaseError(
        'JIG_DATABASE_NOT_READY',
        'The connection pool is not open; use it between start and stop.',
      );
    this.#database.assertAvailable();
    return this.#pool;
  }

  /** A lost connection is a temporary error, not a mistake of the caller. */
  #translate(error: unknown): unknown {
    if (!isLostConnection(error)) return error;
    return new DatabaseError(
      'JIG_DATABASE_NOT_READY',
      `${this.#database.engine} cannot be reached right now (${errorMessage(error) || 'no answer'}); try again when /health says that it is ready.`,
      { cause: error, isTemporary: this.#database.state !== 'failed' },
    );
  }

  /** Wraps methods of a client so that the errors of their promises are translated. */
  #translateErrors<Target extends object>(target: Target, methods: readonly (keyof Target)[]): void {
    for (const name of methods) {
      const original = target[name] as (...given: unknown[]) => unknown;
      const translated = (...given: unknown[]) => {
        const answer = original.apply(target, given);
        return answer instanceof Promise
          ? answer.catch((error: unknown) => Promise.reject(this.#translate(error)))
          : answer;
      };
      Object.defineProperty(target, name, { value: translated, configurable: true, writable: true });
    }
  }
}
