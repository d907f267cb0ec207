import type { PoolClient } from 'pg';
import type { MigrationClient } from '../migrations.ts';

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

export function postgresqlMigrationClient(client: PoolClient): MigrationClient {
  return {
    async version() {
      const { rows } = await client.query<{ known: boolean }>(`SELECT to_regclass('jig_schema') IS NOT NULL AS known`);
      if (rows[0]?.known !== true) return 0;
      const found = await client.query<{ version: number }>(`SELECT max(version) AS version FROM jig_schema`);
      return found.rows[0]?.version ?? 0;
    },
    async alone(work) {
      await client.query('BEGIN');
      try {
        await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
        await client.query('CREATE TABLE IF NOT EXISTS jig_schema (version integer PRIMARY KEY)');
        await work();
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      }
    },
    async apply(statements, version) {
      for (const statement of statements) await client.query(statement);
      await client.query('INSERT INTO jig_schema VALUES ($1)', [version]);
    },
  };
}
