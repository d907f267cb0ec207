import { type SessionStoreFactory, sessionStoreCases } from '@jig/application/session-store-suite';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryServer } from '../../../test-fixtures/temporary-server.ts';
import { postgresql } from '../../engines/postgresql/postgresql.ts';
import { postgresqlPool } from '../../pool/postgresql-pool.ts';
import { PostgresqlSessionStore } from './postgresql-session-store.ts';

describe('sessions in PostgreSQL', () => {
  let stop: () => Promise<void>;
  let pool: Pool;

  beforeAll(async () => {
    const temporary = await temporaryServer(postgresql);
    stop = () => temporary.stop();
    pool = postgresqlPool(temporary.server.connection, { size: 10, connectTimeout: 5000, queryTimeout: 5000 });
  }, 60_000);

  afterAll(async () => {
    await pool.end();
    await stop();
  });

  const create: SessionStoreFactory = async ({ timeToLive }) => {
    const store = new PostgresqlSessionStore(pool, { timeToLive });
    await store.migrate();
    await pool.query('TRUNCATE jig_session');
    return { store };
  };

  describe('as every store', () => {
    it.each(sessionStoreCases)('$name', { timeout: 30_000 }, (storeCase) => storeCase.run(create));
  });

  it('migrates once, however many instances start at once', async () => {
    await pool.query('DROP TABLE jig_session, jig_schema');
    const stores = Array.from({ length: 8 }, () => new PostgresqlSessionStore(pool, { timeToLive: 1000 }));
    await Promise.all(stores.map((store) => store.migrate()));
    expect((await pool.query('SELECT version FROM jig_schema')).rows).toEqual([{ version: 1 }]);
  });

  it('leaves the tables of a newer version alone', async () => {
    await create({ timeToLive: 1000 });
    await pool.query('INSERT INTO jig_schema VALUES (99)');
    const store = new PostgresqlSessionStore(pool, { timeToLive: 1000 });
    await expect(store.migrate()).rejects.toMatchObject({ code: 'JIG_DATABASE_SCHEMA_NEWER', version: 99 });
    await pool.query('DELETE FROM jig_schema WHERE version = 99');
  });

  it('sweeps away what has expired, and nothing else', async () => {
    const { store: short } = await create({ timeToLive: 1 });
    const long = new PostgresqlSessionStore(pool, { timeToLive: 60_000 });
    const limits = { maximumAttributes: 10, maximumBytes: 100 };
    await short.merge('short', new Map([['a', '1']]), limits);
    await long.merge('long', new Map([['a', '1']]), limits);
    await expect.poll(() => short.read('short')).toBeUndefined();
    await long.sweep();
    expect((await pool.query('SELECT id FROM jig_session')).rows).toEqual([{ id: 'long' }]);
  });
});
