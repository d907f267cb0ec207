import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaseDatabase, startRun, type TestRun } from './test-run.ts';

describe('the databases of a test run', () => {
  let run: TestRun;
  beforeAll(async () => {
    run = await startRun({ migrations: ({ url }) => ask(url, 'create table t as select 1 as n') });
  });
  afterAll(() => run.database.stop());

  async function ask(url: string, statement: string): Promise<unknown[]> {
    const client = new pg.Client(url);
    await client.connect();
    try {
      return (await client.query({ text: statement, rowMode: 'array' })).rows.flat();
    } finally {
      await client.end();
    }
  }

  const names = () => ask(run.database.url, `select datname from pg_database where datname ~ '^jig_lease' order by 1`);
  const address = (isolation: string, round = 1) => JSON.stringify({ ...JSON.parse(run.address(round)), isolation });

  it('are fresh and migrated for each file, and gone at its end', async () => {
    const leases = await Promise.all(['1', '2', '2'].map((worker) => leaseDatabase(run.address(1), worker)));
    const leased = leases.map(({ database }) => database.name);
    expect(await names()).toEqual([...leased].sort());
    for (const { database } of leases) {
      expect(await ask(database.url, 'delete from t returning n')).toEqual([1]);
      expect(database.environment).toMatchObject({ DATABASE_URL: database.url, PGDATABASE: database.name });
    }
    await Promise.all(leases.map((lease) => lease.end()));
    expect(await names()).toEqual([]);
  });

  it('stay while somebody is connected, and are dropped by the next one', async () => {
    const lease = await leaseDatabase(run.address(1), '1');
    const client = new pg.Client(lease.database.url);
    await client.connect();
    await lease.end();
    const next = await leaseDatabase(run.address(1), '1');
    expect(await names()).toEqual([lease.database.name, next.database.name].sort());
    await client.end();
    // The server takes a moment to see that it has left.
    await expect
      .poll(async () => {
        await (await leaseDatabase(run.address(1), '2')).end();
        return names();
      })
      .toEqual([next.database.name]);
    await next.end();
  });

  it.each([
    ['worker', ['1', '1'], ['1', '2']],
    ['run', ['1', '2'], undefined],
  ])('are shared by a %s, also by two at the same time', async (isolation, same, others) => {
    const lease = async (workers: readonly string[], round?: number) => {
      const leases = await Promise.all(workers.map((worker) => leaseDatabase(address(isolation, round), worker)));
      for (const each of leases) await each.end();
      return leases.map(({ database }) => database);
    };
    const [one, two] = await lease(same);
    expect(one?.name).toBe(two?.name);
    await ask(one?.url ?? '', 'update t set n = 2');
    expect(await ask((await lease(same))[0]?.url ?? '', 'select n from t')).toEqual([2]);
    if (others !== undefined) expect(new Set((await lease(others)).map(({ name }) => name)).size).toBe(2);
    // When tests run again, nothing of the last time is seen.
    expect(await ask((await lease(same, 2))[0]?.url ?? '', 'select n from t')).toEqual([1]);
  });

  it('report a server that is down', async () => {
    const { database, address: of } = await startRun({});
    await database.stop();
    await expect(leaseDatabase(of(1), '1')).rejects.toMatchObject({
      code: 'JIG_DATABASE_UNREACHABLE',
      message: expect.stringMatching(/^No database could be made for this test file: /),
    });
  });

  it('reject an unknown isolation', async () => {
    const options = { isolation: 'test' };
    await expect(Reflect.apply(startRun, undefined, [options])).rejects.toThrow(
      'The option isolation must be file, worker, run, not "test".',
    );
  });
});
