import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool as MysqlPool } from 'mysql2/promise';
import type { Pool as PostgresqlPool } from 'pg';
import { isLostConnection } from '../connection/connection-errors.ts';
import type { ConnectionOptions, Dialect, PoolOptions } from '../connection/connection-options.ts';
import type { Database } from '../database.ts';
import { DatabaseError, errorMessage } from '../errors.ts';
import type { Translation } from './translate-errors.ts';

type NativePool =
  | { readonly dialect: 'postgresql'; readonly pool: PostgresqlPool }
  | { readonly dialect: 'mysql'; readonly pool: MysqlPool };

/** Both libraries are large, so only the needed one is loaded. */
const loaders = {
  postgresql: () => import('./postgresql-pool.ts'),
  mysql: () => import('./mysql-pool.ts'),
};

/** Loads the client library while the server is still starting. */
export async function preparePool(dialect: Dialect): Promise<void> {
  await loaders[dialect]();
}

/** Errors of the pool and of its connections go through the translation. */
export async function openPool(
  connection: ConnectionOptions,
  options: PoolOptions,
  translate: Translation,
): Promise<NativePool> {
  if (connection.dialect === 'postgresql') {
    const { postgresqlPool } = await loaders.postgresql();
    return { dialect: 'postgresql', pool: postgresqlPool(connection, options, translate) };
  }
  const { mysqlPool } = await loaders.mysql();
  return { dialect: 'mysql', pool: mysqlPool(connection, options, translate) };
}

const closeTimeout = 1000;

/** Connections to the database for the whole application: a pool of `pg` or of `mysql2`, with time-outs. It keeps working after a restart of the server. */
export class DatabasePool {
  readonly #database: Database;
  readonly #options: PoolOptions;
  #native: NativePool | undefined;

  constructor(database: Database, options: PoolOptions) {
    this.#database = database;
    this.#options = options;
  }

  get dialect(): Dialect | null {
    return this.#native?.dialect ?? null;
  }

  /** The most connections at once. */
  get size(): number {
    return this.#options.size;
  }

  /** The number of connections, for PostgreSQL only: `mysql2` does not expose it. */
  get open(): number | null {
    return this.#native?.dialect === 'postgresql' ? this.#native.pool.totalCount : null;
  }

  get idle(): number | null {
    return this.#native?.dialect === 'postgresql' ? this.#native.pool.idleCount : null;
  }

  /** How many wait for a connection. */
  get waiting(): number | null {
    return this.#native?.dialect === 'postgresql' ? this.#native.pool.waitingCount : null;
  }

  get connectTimeout(): number {
    return this.#options.connectTimeout;
  }

  get queryTimeout(): number {
    return this.#options.queryTimeout;
  }

  async start(): Promise<void> {
    const connection = this.#database.connection();
    this.#native = await openPool(connection, this.#options, (error) => this.#translate(error));
  }

  /** A connection that hangs does not keep the application from stopping. */
  async stop(): Promise<void> {
    const native = this.#native;
    this.#native = undefined;
    await Promise.race([native?.pool.end().catch(() => {}), sleep(closeTimeout, undefined, { ref: false })]);
  }

  native(): NativePool {
    if (this.#native === undefined)
      throw new DatabaseError(
        'JIG_DATABASE_NOT_READY',
        'The connection pool is not open; use it between start and stop.',
      );
    return this.#native;
  }

  /** The pool of `pg`, if the database is a PostgreSQL. Throws while the database is known to be down. */
  postgresql(): PostgresqlPool {
    const native = this.#available();
    if (native.dialect === 'postgresql') return native.pool;
    throw new DatabaseError(
      'JIG_DATABASE_DIALECT_DIFFERS',
      'A pool of PostgreSQL was asked for, but the database speaks MySQL; ask for mysql().',
    );
  }

  /** The pool of `mysql2`, if the database is a MySQL or MariaDB. Throws while the database is known to be down. */
  mysql(): MysqlPool {
    const native = this.#available();
    if (native.dialect === 'mysql') return native.pool;
    throw new DatabaseError(
      'JIG_DATABASE_DIALECT_DIFFERS',
      'A pool of MySQL was asked for, but the database is a PostgreSQL; ask for postgresql().',
    );
  }

  #available(): NativePool {
    const native = this.native();
    this.#database.assertAvailable();
    return native;
  }

  /** A lost connection is a temporary error, not a mistake of the caller. */
  #translate(error: unknown): unknown {
    if (!isLostConnection(error)) return error;
    this.#database.suspect();
    return new DatabaseError(
      'JIG_DATABASE_NOT_READY',
      `${this.#database.engine} cannot be reached right now (${errorMessage(error) || 'no answer'}); try again when /health says that it is ready.`,
      { cause: error, isTemporary: this.#database.state !== 'failed' },
    );
  }
}
