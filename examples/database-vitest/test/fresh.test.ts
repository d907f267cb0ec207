import pg from 'pg';
import { expect, it } from 'vitest';

it('runs in a database of its own, without rows of other files', async () => {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  const { rows: notes } = await client.query('select * from notes');
  await client.end();
  expect(process.env.PGDATABASE).toBe(rows[0]?.name);
  expect(notes).toEqual([]);
});
