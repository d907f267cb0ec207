import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryServer } from '../../test-fixtures/temporary-server.ts';
import { ExternalDatabase } from './database.ts';
import { DatabasePool } from './database-pool.ts';

describe('the queries of a pool', () => {
  let running: Awaited<ReturnType<typeof temporaryServer>>;

  beforeAll(async () => {
    running = await temporaryServer();
  });

  afterAll(() => running.stop());

  async function withPool(
    queryTimeout: number,
    work: (query: (statement: string) => Promise<unknown[]>) => Promise<void>,
  ) {
    const database = new ExternalDatabase(running.connection, { connectTimeout: 60_000 });
    const pool = new DatabasePool(database, { size: 4, connectTimeout: 60_000, queryTimeout });
    await pool.start();
    try {
      await work(async (statement) => (await pool.postgresql().query(statement)).rows as unknown[]);
    } finally {
      await pool.stop();
    }
  }

  it('end at the timeout, on the server too, and the next is answered', async () => {
    await withPool(500, async (query) => {
      await expect(query('SELECT pg_sleep(300)')).rejects.toThrow(/time/i);
      const asleep = `SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'`;
      await expect.poll(() => query(asleep).catch(() => 'busy')).toEqual([]);
    });
  });

  it('have no timeout when it is 0', async () => {
    await withPool(0, async (query) => expect(await query('SELECT pg_sleep(1)')).toHaveLength(1));
  });

  it('reject with JIG_DATABASE_NOT_READY when the database is down', async () => {
    await withPool(60_000, async (query) => {
      await query('SELECT 1');
      const ended = query('SELECT pg_terminate_backend(pg_backend_pid())');
      await expect(ended).rejects.toMatchObject({ code: 'JIG_DATABASE_NOT_READY', isTemporary: true });
    });
  });
});
