import { sessionStoreSuite } from '../../test-fixtures/session-store-suite.ts';
import { postgresql } from '../engines/postgresql.ts';
import { postgresqlPool } from '../pool/postgresql-pool.ts';
import { PostgresqlSessionStore } from './postgresql-session-store.ts';

sessionStoreSuite('sessions in PostgreSQL', {
  engine: postgresql,
  lockTable: ['BEGIN', 'LOCK TABLE jig_session IN ACCESS EXCLUSIVE MODE', 'COMMIT'],
  takeLock: 'SELECT pg_advisory_lock(5418226)',
  open: (connection, options) => {
    const pool = postgresqlPool(connection, options);
    return {
      query: async (statement) => (await pool.query(statement)).rows,
      store: () => new PostgresqlSessionStore(pool, options.queryTimeout),
      end: () => pool.end(),
    };
  },
});
