import {
  attributesSize,
  Batcher,
  type MergeOptions,
  type MergeOutcome,
  type SessionAttributes,
  type SessionRecord,
  type SessionStore,
} from '@jig/sessions';
import { tooLate } from '@jig/sessions/internal';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { attributesFromJson, attributesToJson, rethrow } from './attributes-json.ts';
import { type MigrationClient, migrate, migrationTimeout, schemaHeld } from './migrations.ts';
import { ServerClocks } from './server-clocks.ts';

interface Merge extends MergeOptions {
  readonly id: string;
  readonly json: string;
}

interface Row {
  readonly id: string;
  readonly attributes: string;
  readonly expires: number;
  readonly time_left: number;
}

/** Enough to keep the server busy while answers are on their way; more would only make smaller batches. */
const concurrency = 2;
const maximumSize = 100;

/** Sessions in PostgreSQL: one row each, one round trip for each call, which calls at the same time share. */
export class PostgresqlSessionStore implements SessionStore {
  readonly #pool: Pool;
  readonly #reads: Batcher<string, SessionRecord | undefined>;
  readonly #merges: Batcher<Merge, MergeOutcome>;
  readonly #clocks: ServerClocks;

  /** The time-out is in milliseconds; 0 for any time. */
  constructor(pool: Pool, queryTimeout: number) {
    this.#pool = pool;
    this.#clocks = new ServerClocks(queryTimeout);
    this.#reads = new Batcher({ run: (ids) => this.#readAll(ids), concurrency, maximumSize });
    this.#merges = new Batcher({ run: (merges) => this.#mergeAll(merges), mayJoin, concurrency, maximumSize });
  }

  async migrate(timeout = migrationTimeout): Promise<void> {
    const client = await this.#pool.connect();
    try {
      await migrate(postgresqlMigrationClient(client, timeout), postgresqlSteps);
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  read(id: string): Promise<SessionRecord | undefined> {
    return this.#reads.ask(id);
  }

  async merge(id: string, entries: SessionAttributes, options: MergeOptions): Promise<MergeOutcome> {
    const { limits, deadline } = options;
    if (entries.size > limits.maximumAttributes) return 'too many attributes';
    if (attributesSize(entries) > limits.maximumBytes) return 'too many bytes';
    return this.#merges.ask({ ...options, id, json: attributesToJson(entries) }, deadline);
  }

  async touch(id: string, timeToLive: number): Promise<void> {
    await this.#rows(statements.touch, [id, timeToLive]);
  }

  async destroy(id: string, deadline?: number): Promise<void> {
    const destroyed = await this.#rowsInTime(statements.destroy, [id], deadline);
    if (destroyed.length === 0 && (await this.#rows(statements.exists, [id])).length > 0) throw tooLate();
  }

  async count(): Promise<number> {
    const [row] = await this.#rows<{ count: number }>(statements.count, []);
    return row?.count ?? 0;
  }

  /** Removes what has expired. */
  async sweep(): Promise<void> {
    await this.#rows(statements.sweep, []);
  }

  async #readAll(ids: readonly string[]): Promise<readonly (SessionRecord | undefined)[]> {
    const rows = await this.#rows<Row>(statements.read, [ids]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => {
      const row = byId.get(id);
      if (row === undefined) return undefined;
      const { attributes, expires, time_left: timeLeft } = row;
      return { attributes: attributesFromJson(attributes), expires: Math.round(expires), timeLeft };
    });
  }

  async #mergeAll(merges: readonly Merge[]): Promise<readonly (MergeOutcome | Error)[]> {
    const sessions = `{${merges.map(({ id, json }) => `${JSON.stringify(id)}:${json}`).join()}}`;
    const { limits, timeToLive } = merges[0] as Merge;
    const values = [sessions, timeToLive, limits.maximumAttributes, limits.maximumBytes];
    const deadline = Math.min(...merges.map((merge) => merge.deadline ?? Number.POSITIVE_INFINITY));
    const rows = await this.#rowsInTime<{ id: string; time: number }>(statements.merge, values, deadline);
    const stored = new Set(rows.map(({ id }) => id));
    return Promise.all(merges.map(async (merge) => (stored.has(merge.id) ? 'stored' : this.#whyRefused(merge))));
  }

  async #whyRefused({ id, json, limits }: Merge): Promise<MergeOutcome | Error> {
    const [wouldBe] = await this.#rows<{ count: number; bytes: number }>(statements.wouldBe, [id, json]);
    const { count = 0, bytes = 0 } = wouldBe ?? {};
    if (count > limits.maximumAttributes) return 'too many attributes';
    return bytes > limits.maximumBytes ? 'too many bytes' : tooLate();
  }

  /** The last value of the statement is the deadline by the server's clock. */
  async #rowsInTime<Row extends QueryResultRow & { time: number }>(
    statement: { name: string; text: string },
    values: unknown[],
    deadline: number | undefined,
  ): Promise<readonly Row[]> {
    const client = await this.#pool.connect();
    try {
      const rows = await this.#clocks.inTime(client, deadline, {
        askTime: async () => (await client.query<{ time: number }>(statements.time)).rows[0]?.time,
        run: async (latest) => (await client.query<Row>({ ...statement, values: [...values, latest] })).rows,
      });
      client.release();
      return rows;
    } catch (error) {
      client.release(true);
      return rethrow(error);
    }
  }

  async #rows<Row extends QueryResultRow>(
    statement: { name: string; text: string },
    values: unknown[],
  ): Promise<Row[]> {
    return (await this.#pool.query<Row>({ ...statement, values }).catch(rethrow)).rows;
  }
}

/** A statement changes a row only once, and has one time to live and one pair of limits. */
function mayJoin({ id, limits, timeToLive }: Merge, others: readonly Merge[]): boolean {
  return others.every((other) => other.id !== id && other.limits === limits && other.timeToLive === timeToLive);
}

/** Now, rather than when the statement began: it may have waited for a lock. In epoch milliseconds. */
const time = '(extract(epoch FROM clock_timestamp()) * 1000)::float8';

const later = (milliseconds: string) => `now() + ${milliseconds}::float8 * interval '1 millisecond'`;

/** Prepared once per connection, by name. */
const statements = {
  read: {
    name: 'jig-session-read',
    text: `SELECT id, attributes::text AS attributes, (extract(epoch FROM expires) * 1000)::float8 AS expires,
             (extract(epoch FROM expires - now()) * 1000)::float8 AS time_left
           FROM jig_session WHERE id = ANY($1) AND expires > now()`,
  },
  /**
   * Takes sessions as one JSON object, ids to attributes, and gives the ids that it stored. One statement, so that a row is locked from
   * the look at its old attributes to the write of the new ones. The object's keys come sorted, so that two of these never wait for
   * each other in a circle. A row is locked before the deadline is looked at.
   */
  merge: {
    name: 'jig-session-merge',
    text: `INSERT INTO jig_session AS old (id, attributes, expires) SELECT key, value, ${later('$2')} FROM jsonb_each($1::jsonb)
             WHERE ${time} < $5::float8
           ON CONFLICT (id) DO UPDATE SET
             attributes = CASE WHEN old.expires > now() THEN old.attributes || excluded.attributes ELSE excluded.attributes END,
             expires = excluded.expires
           WHERE ${time} < $5::float8 AND (old.expires <= now() OR (
             SELECT count(*) <= $3 AND coalesce(sum((value->>1)::integer), 0) <= $4
             FROM jsonb_each(old.attributes || excluded.attributes)))
           RETURNING old.id, ${time} AS time`,
  },
  /** Only asked after a refusal. */
  wouldBe: {
    name: 'jig-session-would-be',
    text: `SELECT count(*)::integer AS count, coalesce(sum((value->>1)::integer), 0)::integer AS bytes
           FROM jig_session, jsonb_each(attributes || $2::jsonb) WHERE id = $1 AND expires > now()`,
  },
  touch: {
    name: 'jig-session-touch',
    text: `UPDATE jig_session SET expires = ${later('$2')} WHERE id = $1 AND expires > now()`,
  },
  destroy: {
    name: 'jig-session-destroy',
    text: `DELETE FROM jig_session WHERE id = $1 AND ${time} < $2::float8 RETURNING ${time} AS time`,
  },
  time: { name: 'jig-session-time', text: `SELECT ${time} AS time` },
  exists: { name: 'jig-session-exists', text: 'SELECT FROM jig_session WHERE id = $1' },
  count: { name: 'jig-session-count', text: 'SELECT count(*)::float8 AS count FROM jig_session WHERE expires > now()' },
  sweep: { name: 'jig-session-sweep', text: 'DELETE FROM jig_session WHERE expires <= now()' },
} as const;

/**
 * Room is left in each page, and the expiry has no index, so that a write stays within its page (a heap-only update)
 * and does not touch any index.
 */
const postgresqlSteps: readonly (readonly string[])[] = [
  [
    `CREATE TABLE jig_session (
       id text COLLATE "C" PRIMARY KEY,
       attributes jsonb NOT NULL,
       expires timestamptz NOT NULL
     ) WITH (fillfactor = 60)`,
  ],
];

/** Any number will do, as long as all instances take the same. */
const migrationLock = 5_418_226;

/** How PostgreSQL says that `lock_timeout` has passed. */
const lockNotAvailable = '55P03';

/** Whoever gives the client closes it after a failure: it may be within a transaction, or still get an answer. */
function postgresqlMigrationClient(client: PoolClient, timeout: number): MigrationClient {
  /** Waits longer than the queries of visitors may take, and longer than the server does. */
  const query = <Row extends QueryResultRow>(text: string, values: unknown[] = []) => {
    const question = { text, values, query_timeout: 3 * timeout };
    return client.query<Row>(question);
  };
  const takeLock = async () => {
    try {
      await query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    } catch (error) {
      throw (error as { code?: string }).code === lockNotAvailable ? schemaHeld(timeout, error) : error;
    }
  };
  return {
    async version() {
      const { rows } = await query<{ known: boolean }>(`SELECT to_regclass('jig_schema') IS NOT NULL AS known`);
      if (rows[0]?.known !== true) return 0;
      const found = await query<{ version: number }>(`SELECT max(version) AS version FROM jig_schema`);
      return found.rows[0]?.version ?? 0;
    },
    async exclusively(work) {
      await query('BEGIN');
      await query(`SET LOCAL lock_timeout = ${timeout}`);
      await query(`SET LOCAL statement_timeout = ${2 * timeout}`);
      await takeLock();
      await query('CREATE TABLE IF NOT EXISTS jig_schema (version integer PRIMARY KEY)');
      await work();
      await query('COMMIT');
    },
    async apply(statements, version) {
      for (const statement of statements) await query(statement);
      await query('INSERT INTO jig_schema VALUES ($1)', [version]);
    },
  };
}
