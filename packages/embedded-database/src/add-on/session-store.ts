import {
  assertInTime,
  attributesSize,
  DamagedSessionError,
  fromStorableText,
  type MergeOptions,
  type MergeOutcome,
  type SessionAttributes,
  type SessionRecord,
  type SessionStore,
  toStorableText,
} from '@jig/sessions';
import { ServerClock, tooLate } from '@jig/sessions/internal';
import type { QueryResultRow } from 'pg';
import { isDiskFull } from '../connection/connection-errors.ts';
import { diskFull } from '../errors.ts';
import { Batcher } from './batcher.ts';
import type { Database } from './database.ts';
import { DatabasePool } from './database-pool.ts';

interface Merge extends MergeOptions {
  readonly id: string;
  readonly json: string;
}

/** In milliseconds. */
const sweepInterval = 5 * 60_000;

/** Sessions in the application's database, one row each, over a connection pool of their own. Fails at once when the database is down. */
export class DatabaseSessionStore implements SessionStore {
  readonly #database: Database;
  readonly pool: DatabasePool;
  /** In milliseconds. */
  readonly #startTimeout: number;
  readonly #reads = new Batcher((ids: readonly string[]) => this.#readAll(ids));
  readonly #merges = new Batcher((merges: readonly Merge[]) => this.#mergeAll(merges), canJoin);
  /** By connection, since each may lead to another server. A write has its deadline by this clock, so that it is not done late. */
  readonly #clocks = new WeakMap<object, ServerClock>();
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;

  constructor(database: Database, pool: DatabasePool, startTimeout: number) {
    this.#database = database;
    this.pool = pool;
    this.#startTimeout = startTimeout;
  }

  toJSON() {
    return { pool: this.pool };
  }

  async start(): Promise<void> {
    try {
      await this.#createTable();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      throw diskFull(this.#database.describe(), { cause: error });
    }
    await this.pool.start();
    this.#sweepLater();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#sweeping;
    await this.pool.stop();
  }

  read(id: string): Promise<SessionRecord | undefined> {
    return this.#reads.ask(id);
  }

  async merge(id: string, entries: SessionAttributes, options: MergeOptions): Promise<MergeOutcome> {
    const { limits, deadline } = options;
    if (entries.size > limits.maximumAttributes) return 'too many attributes';
    if (attributesSize(entries) > limits.maximumBytes) return 'too many bytes';
    return this.#merges.ask({ ...options, id, json: toJson(entries) }, deadline);
  }

  async touch(id: string, timeToLive: number): Promise<void> {
    await this.#rows('touch', [id, timeToLive]);
  }

  async destroy(id: string, deadline?: number): Promise<void> {
    const destroyed = await this.#rowsBefore('destroy', [id], deadline);
    if (destroyed.length === 0 && (await this.#rows('exists', [id])).length > 0) throw tooLate();
  }

  async count(): Promise<number> {
    return (await this.#rows<{ count: number }>('count'))[0]?.count ?? 0;
  }

  /** Removes what has expired. */
  async sweep(): Promise<void> {
    await this.#rows('sweep');
  }

  /** With a longer timeout than requests have: a server that has just started may be busy. */
  async #createTable(): Promise<void> {
    const startTimeout = this.#startTimeout;
    const pool = new DatabasePool(this.#database, {
      size: 1,
      connectTimeout: startTimeout,
      queryTimeout: startTimeout,
    });
    await pool.start();
    try {
      // If the table exists, the user needs no right to create it.
      const { rows } = await pool.postgresql().query(statements.table);
      if (rows.length === 0) await pool.postgresql().query(statements.create).catch(ignoreExisting);
    } finally {
      await pool.stop();
    }
  }

  /** Reads and counts ignore expired sessions in the meantime. */
  #sweepLater(): void {
    // Spreads the sweeps of instances that were started together.
    const pause = sweepInterval * (0.75 + Math.random() / 2);
    this.#timer = setTimeout(() => {
      // A failed sweep is repeated by the next one.
      this.#sweeping = this.sweep().catch(() => {});
      void this.#sweeping.then(() => this.#timer !== undefined && this.#sweepLater());
    }, pause).unref();
  }

  async #readAll(ids: readonly string[]): Promise<readonly (SessionRecord | undefined)[]> {
    const rows = await this.#rows<{ id: string; attributes: string; expires: number; left: number }>('read', [ids]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => {
      const row = byId.get(id);
      if (row === undefined) return undefined;
      return { attributes: fromJson(row.attributes), expires: Math.round(row.expires), timeLeft: row.left };
    });
  }

  async #mergeAll(merges: readonly Merge[]): Promise<readonly (MergeOutcome | Error)[]> {
    const sessions = `{${merges.map(({ id, json }) => `${JSON.stringify(id)}:${json}`).join()}}`;
    const { limits, timeToLive } = merges[0] as Merge;
    const values = [sessions, timeToLive, limits.maximumAttributes, limits.maximumBytes];
    const deadline = Math.min(...merges.map((merge) => merge.deadline ?? Number.POSITIVE_INFINITY));
    const rows = await this.#rowsBefore<{ id: string; time: number }>('merge', values, deadline);
    const stored = new Set(rows.map(({ id }) => id));
    return Promise.all(merges.map(async (merge) => (stored.has(merge.id) ? 'stored' : this.#whyRefused(merge))));
  }

  async #whyRefused({ id, json, limits }: Merge): Promise<MergeOutcome | Error> {
    const [mergedSize] = await this.#rows<{ count: number; bytes: number }>('mergedSize', [id, json]);
    const { count = 0, bytes = 0 } = mergedSize ?? {};
    if (count > limits.maximumAttributes) return 'too many attributes';
    return bytes > limits.maximumBytes ? 'too many bytes' : tooLate();
  }

  /**
   * Runs a statement whose last value is the deadline, by the clock of the server; after the deadline, the statement does nothing. If it
   * returns no rows, that clock may have been adjusted, so the next call asks for the time again.
   */
  async #rowsBefore<Row extends QueryResultRow & { time: number }>(
    statement: StatementName,
    values: readonly unknown[],
    deadline = Number.POSITIVE_INFINITY,
  ): Promise<readonly Row[]> {
    const client = await this.#openPool().connect();
    try {
      const clock = this.#clocks.get(client) ?? new ServerClock();
      const ask = async <Answer extends QueryResultRow & { time: number }>(name: StatementName, given: unknown[]) => {
        const sent = performance.now();
        const { rows } = await client.query<Answer>(prepared(name, given));
        if (rows[0] !== undefined) clock.learn(rows[0].time, sent, performance.now());
        return rows;
      };
      if (!clock.isKnown) await ask('time', []);
      assertInTime(deadline);
      // A little before the timeout of the client.
      const timeout = this.pool.queryTimeout * 0.9 || Number.POSITIVE_INFINITY;
      const rows = await ask<Row>(statement, [...values, clock.at(Math.min(deadline, performance.now() + timeout))]);
      if (rows.length > 0) this.#clocks.set(client, clock);
      else this.#clocks.delete(client);
      client.release();
      return rows;
    } catch (error) {
      client.release(true);
      throw toSessionError(error);
    }
  }

  async #rows<Row extends QueryResultRow>(statement: StatementName, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      return (await this.#openPool().query<Row>(prepared(statement, values))).rows;
    } catch (error) {
      throw toSessionError(error);
    }
  }

  #openPool() {
    return this.pool.postgresql();
  }
}

/** One statement can change a row only once, with one time to live and one pair of limits for all. */
function canJoin({ id, limits, timeToLive }: Merge, others: readonly Merge[]): boolean {
  return others.every((other) => other.id !== id && other.limits === limits && other.timeToLive === timeToLive);
}

/** The errors if another process creates the table at the same time (PostgreSQL, appendix A). */
const existsCodes = ['23505', '42P07', '42710'];

function ignoreExisting(error: unknown): void {
  if (!existsCodes.includes(String((error as { code?: unknown }).code))) throw error;
}

/**
 * Attributes as a JSON object, so that the database can merge them by itself and a person can read them there. Each value comes with
 * the size of the attribute in UTF-8 bytes, so that the database can also add up: `{"zoneID": ["Asia/Kolkata", 18]}`.
 */
function toJson(attributes: SessionAttributes): string {
  const entries = [...attributes].map(([name, value]) => [
    toStorableText(name),
    [toStorableText(value), Buffer.byteLength(name) + Buffer.byteLength(value)],
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}

/** `JSON.parse` and `Object.entries` treat `__proto__` as any other key. */
function fromJson(json: string): SessionAttributes {
  try {
    const entries = Object.entries(JSON.parse(json) as Record<string, [string, number]>);
    return new Map(entries.map(([name, [value]]) => [fromStorableText(name), fromStorableText(value)]));
  } catch (cause) {
    throw damaged(cause);
  }
}

const damaged = (cause: unknown) => new DamagedSessionError('The row of a session is damaged.', { cause });

/** The classes of SQLSTATE that concern a row: its data is not what a statement expects, breaks a rule, or is corrupted. */
const rowStates = /^(?:22|23)|^XX001$/;

/** Converts an error that concerns only one row to that of a damaged session. */
function toSessionError(error: unknown): unknown {
  return rowStates.test(String((error as { code?: unknown }).code)) ? damaged(error) : error;
}

/** The current time in epoch milliseconds; `now()` is that of the start, before a statement has waited for a lock. */
const time = '(extract(epoch FROM clock_timestamp()) * 1000)::float8';

const later = (milliseconds: string) => `now() + ${milliseconds}::float8 * interval '1 millisecond'`;

const statements = {
  table: `SELECT FROM pg_class WHERE oid = to_regclass('jig_session')`,
  // Free space in each page, and no index on the expiry, keep an update within its page without index writes (HOT).
  create: `CREATE TABLE IF NOT EXISTS jig_session (
      id text COLLATE "C" PRIMARY KEY,
      attributes jsonb NOT NULL,
      expires timestamptz NOT NULL
    ) WITH (fillfactor = 60)`,
  read: `SELECT id, attributes::text AS attributes, (extract(epoch FROM expires) * 1000)::float8 AS expires,
      (extract(epoch FROM expires - now()) * 1000)::float8 AS left
    FROM jig_session WHERE id = ANY($1) AND expires > now()`,
  // Takes sessions as one JSON object (attributes by id), and returns the ids that it stored. As one statement, it locks a row before it
  // reads the clock and the old attributes, until it has written the new ones. The keys of the object come sorted, so that two of
  // these statements cannot deadlock.
  merge: `INSERT INTO jig_session AS old (id, attributes, expires) SELECT key, value, ${later('$2')} FROM jsonb_each($1::jsonb)
      WHERE ${time} < $5::float8
    ON CONFLICT (id) DO UPDATE SET
      attributes = CASE WHEN old.expires > now() THEN old.attributes || excluded.attributes ELSE excluded.attributes END,
      expires = excluded.expires
    WHERE ${time} < $5::float8 AND (old.expires <= now() OR (
      SELECT count(*) <= $3 AND coalesce(sum((value->>1)::integer), 0) <= $4
      FROM jsonb_each(old.attributes || excluded.attributes)))
    RETURNING old.id, ${time} AS time`,
  // Only asked after a refusal.
  mergedSize: `SELECT count(*)::integer AS count, coalesce(sum((value->>1)::integer), 0)::integer AS bytes
    FROM jig_session, jsonb_each(attributes || $2::jsonb) WHERE id = $1 AND expires > now()`,
  touch: `UPDATE jig_session SET expires = ${later('$2')} WHERE id = $1 AND expires > now()`,
  destroy: `DELETE FROM jig_session WHERE id = $1 AND ${time} < $2::float8 RETURNING ${time} AS time`,
  time: `SELECT ${time} AS time`,
  exists: 'SELECT FROM jig_session WHERE id = $1',
  count: 'SELECT count(*)::float8 AS count FROM jig_session WHERE expires > now()',
  sweep: 'DELETE FROM jig_session WHERE expires <= now()',
} as const;

type StatementName = keyof typeof statements;

/** Prepared once for each connection, by name. */
const prepared = (name: StatementName, values: readonly unknown[]) => ({
  name: `jig-session-${name}`,
  text: statements[name],
  values: [...values],
});
