import type { PoolClient, QueryResultRow } from 'pg';
import { type MigrationClient, schemaHeld } from '../migrations.ts';

/**
 * Room is left in each page, and the expiry has no index, so that a write stays within its page (a heap-only update)
 * and does not touch any index.
 */
export const postgresqlSteps: readonly (readonly string[])[] = [
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
export function postgresqlMigrationClient(client: PoolClient, patience: number): MigrationClient {
  /** Waits longer than the queries of visitors may take, and longer than the server does. */
  const query = <Row extends QueryResultRow>(text: string, values: unknown[] = []) => {
    const question = { text, values, query_timeout: 3 * patience };
    return client.query<Row>(question);
  };
  const takeLock = async () => {
    try {
      await query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    } catch (error) {
      throw (error as { code?: string }).code === lockNotAvailable ? schemaHeld(patience, error) : error;
    }
  };
  return {
    async version() {
      const { rows } = await query<{ known: boolean }>(`SELECT to_regclass('jig_schema') IS NOT NULL AS known`);
      if (rows[0]?.known !== true) return 0;
      const found = await query<{ version: number }>(`SELECT max(version) AS version FROM jig_schema`);
      return found.rows[0]?.version ?? 0;
    },
    async alone(work) {
      await query('BEGIN');
      await query(`SET LOCAL lock_timeout = ${patience}`);
      await query(`SET LOCAL statement_timeout = ${2 * patience}`);
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
