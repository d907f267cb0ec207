import { connectDatabase } from '@jig/embedded-database';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';

const server = connectDatabase();
afterAll(() => server.close());

it.each(Array.from({ length: 25 }, (_, index) => index))('test %i has a database of its own', async (index) => {
  const copy = await server.clone();
  const client = new pg.Client({ connectionString: copy.url });
  await client.connect();
  await client.query('insert into table_1 (name) values ($1)', [`test ${index}`]);
  const { rows } = await client.query("select count(*)::int as count from table_1 where name like 'test%'");
  await client.end();
  await copy.drop();
  expect(rows).toEqual([{ count: 1 }]);
});
