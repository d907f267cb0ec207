import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startDatabase } from '@jig/embedded-database';
import pg from 'pg';

/** Runs once; each test gets a copy of what it leaves. */
async function migrate({ url }) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('create table visits (page text primary key, count integer not null)');
  await client.end();
}

let database;
before(async () => {
  database = await startDatabase({ migrations: migrate });
});
after(() => database.stop());

await test('visits', async (context) => {
  for (const page of ['/', '/about']) {
    await context.test(`counts the first visit of ${page}`, async () => {
      const copy = await database.clone();
      const client = new pg.Client({ connectionString: copy.url });
      await client.connect();
      const { rows } = await client.query('insert into visits values ($1, 1) returning count', [page]);
      const { rows: all } = await client.query('select page from visits');
      await client.end();
      await copy.drop();
      assert.deepEqual(rows, [{ count: 1 }]);
      assert.deepEqual(all, [{ page }]);
    });
  }
});
