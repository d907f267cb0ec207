import pg from 'pg';
import { expect, it } from 'vitest';

it('runs in a database named for its worker', async () => {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  await client.end();
  expect(rows[0]?.name).toBe(`jig_worker_${process.env.VITEST_POOL_ID}`);
  expect(process.env.PGDATABASE).toBe(rows[0]?.name);
});
