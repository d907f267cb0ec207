import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryServer } from '../../test-fixtures/temporary-server.ts';
import { mariadb } from '../engines/mysql.ts';
import { postgresql } from '../engines/postgresql.ts';
import { openPool } from './database-pool.ts';

describe.each([
  {
    engine: postgresql,
    sleep: (seconds: number) => `SELECT pg_sleep(${seconds})`,
    asleep: `SELECT count(*)::int AS count FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'`,
  },
  {
    engine: mariadb,
    sleep: (seconds: number) => `SELECT SLEEP(${seconds})`,
    asleep: `SELECT COUNT(*) AS count FROM information_schema.PROCESSLIST WHERE INFO LIKE 'SELECT SLEEP%'`,
  },
])('the queries of a pool of $engine.name', ({ engine, sleep, asleep }) => {
  let running: Awaited<ReturnType<typeof temporaryServer>>;

  beforeAll(async () => {
    running = await temporaryServer(engine);
  });

  afterAll(() => running.stop());

  /** Runs a statement by the pool itself and by a connection of it, and gives the rows of the last. */
  async function withPool<Result>(
    queryTimeout: number,
    work: (query: (statement: string) => Promise<unknown[]>) => Promise<Result>,
  ): Promise<Result> {
    const native = await openPool(
      running.connection,
      { size: 4, connectTimeout: 5000, queryTimeout },
      (error) => error,
    );
    const query = async (statement: string) =>
      native.dialect === 'postgresql'
        ? (await native.pool.query(statement)).rows
        : ((await native.pool.query(statement))[0] as unknown[]);
    try {
      return await work(query);
    } finally {
      await native.pool.end();
    }
  }

  it('end when they take too long, on the server too, and the next is answered', async () => {
    await withPool(500, async (query) => {
      const began = performance.now();
      await expect(query(sleep(30))).rejects.toThrow(/time/i);
      expect(performance.now() - began).toBeLessThan(20_000);
      await expect.poll(() => query(asleep), { timeout: 10_000 }).toEqual([{ count: 0 }]);
    });
  });

  it('have no time-out when it is 0', async () => {
    await withPool(0, async (query) => expect(await query(sleep(2))).toHaveLength(1));
  });
});
