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
      .not.toContain(lease.database.name);
    expect(await names()).toContain(next.database.name);
    await next.end();
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
