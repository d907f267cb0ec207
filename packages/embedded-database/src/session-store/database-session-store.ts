import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Awaitable,
  DamagedSessionError,
  type MergeOptions,
  type MergeOutcome,
  type SessionAttributes,
  type SessionRecord,
  type SessionStore,
} from '@jig/sessions';
import { isDiskFull } from '../connection/connection-errors.ts';
import type { Database } from '../database.ts';
import { DatabaseError, diskFullSentence, errorMessage } from '../errors.ts';
import type { DatabasePool } from '../pool/database-pool.ts';
import { MysqlSessionStore } from './mysql-session-store.ts';
import { PostgresqlSessionStore } from './postgresql-session-store.ts';

/** Keeps sessions in a database of one dialect. */
export interface DialectSessionStore extends SessionStore {
  /** Makes the tables, or brings them up to date; waits so many milliseconds while another instance does. */
  migrate(timeout?: number): Promise<void>;
  sweep(): Promise<void>;
}

interface DatabaseSessionStoreOptions {
  readonly migrationTimeout: number;
  readonly log: { info(message: string): void };
}

const sweepInterval = 5 * 60_000;
const connectPause = 200;

/** Sessions in the application's database, over a connection pool of their own. Fails at once when the database is down, and has the server probed after a failure. */
export class DatabaseSessionStore implements SessionStore {
  readonly #database: Database;
  readonly pool: DatabasePool;
  readonly #migrationTimeout: number;
  readonly #log: DatabaseSessionStoreOptions['log'];
  #store: DialectSessionStore | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;

  constructor(database: Database, pool: DatabasePool, options: DatabaseSessionStoreOptions) {
    this.#database = database;
    this.pool = pool;
    this.#migrationTimeout = options.migrationTimeout;
    this.#log = options.log;
  }

  async start(signal?: AbortSignal): Promise<void> {
    await this.pool.start();
    try {
      await this.#open(signal);
    } catch (error) {
      await this.pool.stop();
      if (!isDiskFull(error)) throw error;
      throw new DatabaseError('JIG_DATABASE_DISK_FULL', diskFullSentence(this.#database.describe()), { cause: error });
    }
  }

  async #open(signal?: AbortSignal): Promise<void> {
    const { queryTimeout } = this.pool;
    const native = this.pool.native();
    this.#store =
      native.dialect === 'postgresql'
        ? new PostgresqlSessionStore(native.pool, queryTimeout)
        : new MysqlSessionStore(native.pool, queryTimeout);
    await this.#migrate(this.#store, signal);
    this.#sweepLater(this.#store);
  }

  /** A server that was ready a moment ago but did not take a connection in time is busy: that is no reason not to start. */
  async #migrate(store: DialectSessionStore, signal?: AbortSignal): Promise<void> {
    const deadline = performance.now() + this.#migrationTimeout;
    for (let tries = 0; ; tries++) {
      try {
        return await store.migrate(this.#migrationTimeout);
      } catch (error) {
        const isTemporary = error instanceof DatabaseError && error.isTemporary;
        if (!isTemporary || performance.now() > deadline) throw error;
        const why = errorMessage(error.cause ?? error);
        if (tries === 0) this.#log.info(`${this.#database.engine} is not ready (${why}); trying again`);
        await sleep(connectPause, undefined, signal && { signal });
      }
    }
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#sweeping;
    await this.pool.stop();
  }

  read(id: string): Promise<SessionRecord | undefined> {
    return this.#ask((store) => store.read(id));
  }

  merge(id: string, entries: SessionAttributes, options: MergeOptions): Promise<MergeOutcome> {
    return this.#ask((store) => store.merge(id, entries, options));
  }

  touch(id: string, timeToLive: number): Promise<void> {
    return this.#ask((store) => store.touch(id, timeToLive));
  }

  destroy(id: string, deadline?: number): Promise<void> {
    return this.#ask((store) => store.destroy(id, deadline));
  }

  count(): Promise<number> {
    return this.#ask((store) => store.count());
  }

  async #ask<Answer>(question: (store: DialectSessionStore) => Awaitable<Answer>): Promise<Answer> {
    this.#database.assertAvailable();
    if (this.#store === undefined) throw new Error('the session store is not started');
    try {
      return await question(this.#store);
    } catch (error) {
      if (!(error instanceof DamagedSessionError)) this.#database.suspect();
      throw error;
    }
  }

  /** Removes expired sessions at intervals; reads and counts ignore them in the meantime. */
  #sweepLater(store: DialectSessionStore): void {
    // Spreads the sweeps of instances that were started together.
    const pause = sweepInterval * (0.75 + Math.random() / 2);
    this.#timer = setTimeout(() => {
      // A failed sweep is repeated by the next one.
      this.#sweeping = store.sweep().catch(() => {});
      void this.#sweeping.then(() => this.#timer !== undefined && this.#sweepLater(store));
    }, pause).unref();
  }
}
