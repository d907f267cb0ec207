// Runs test runners with the package as it is published; vitest and jest on machines of several sizes. By hand, and every night:
//   node test/all/database/matrix.mjs [vitest@4 …] [--cores 1,4]
// Each project of these two has 40 test files in two projects with different migrations; each file must find a fresh database. Watch mode runs five times.
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { cores: { type: 'string' } } });
const allRunners = ['vitest@3', 'vitest@4', 'vitest@5', 'jest@29', 'jest@30', '@playwright/test@1'];
const runners = positionals.length > 0 ? positionals : allRunners;
const cores = (values.cores ?? '1,2,4,8,32').split(',').map(Number);
const filesOfProject = 20;
const reruns = 5;

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'jig-matrix-'));
const say = (text) => console.log(text);

const npm = (cwd, ...args) =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });

function pack() {
  const [{ filename }] = JSON.parse(
    npm(root, 'pack', '--json', '--workspace=@jig/embedded-database', `--pack-destination=${folder}`),
  );
  return join(folder, filename);
}

/** What every test file does; the other files of its worker, and its own last run, must have left nothing. */
const bodyOfTest = (project) => `
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  const { rows } = await client.query("select current_database() as name, to_regclass('only_${project}') as own, (select count(*)::int from seeds) as seeds");
  await client.query('create table mine (n int)');
  await client.query('insert into seeds values (1)');
  await client.end();
  appendFileSync(process.env.MATRIX_LOG, rows[0].name + '\\n');
  expect(rows[0].own).toBe('only_${project}');
  expect(rows[0].seeds).toBe(1);
  expect(process.env.PGDATABASE).toBe(rows[0].name);
`;

const numbers = Array.from({ length: filesOfProject }, (_, index) => index + 1);

function writeProject(project, kind) {
  for (const name of ['a', 'b']) {
    mkdirSync(join(project, name, 'migrations'), { recursive: true });
    writeFileSync(
      join(project, name, 'migrations', '1.sql'),
      `create table only_${name} (n int); create table seeds (n int); insert into seeds values (1);`,
    );
    for (const number of numbers)
      writeFileSync(
        join(project, name, `${number}.spec.${kind === 'vitest' ? 'mjs' : 'cjs'}`),
        kind === 'vitest'
          ? `import { appendFileSync } from 'node:fs';\nimport pg from 'pg';\nimport { expect, it } from 'vitest';\nimport './changed.mjs';\nit('is fresh', async () => {${bodyOfTest(name)}});\n`
          : `const { appendFileSync } = require('node:fs');\nconst pg = require('pg');\nconst { DatabaseError } = require('@jig/embedded-database');\nrequire('./changed.cjs');\ntest('is fresh', async () => {${bodyOfTest(name)}expect(typeof DatabaseError).toBe('function');});\n`,
      );
    writeFileSync(join(project, name, 'changed.mjs'), '');
    writeFileSync(join(project, name, 'changed.cjs'), '');
    writeFileSync(
      join(project, name, 'setup.mjs'),
      `import { databaseSetup } from '@jig/embedded-database/${kind}';\nexport default databaseSetup({ migrations: new URL('./migrations', import.meta.url) });\n`,
    );
    writeFileSync(
      join(project, name, 'setup.cjs'),
      `const { databaseSetup } = require('@jig/embedded-database/${kind}');\nmodule.exports = databaseSetup({ migrations: __dirname + '/migrations' });\n`,
    );
  }
  writeFileSync(
    join(project, 'vitest.config.mjs'),
    `export default { test: { projects: ['a', 'b'].map((name) => ({ test: { name, root: './' + name, include: ['*.spec.mjs'], globalSetup: './setup.mjs' } })) } };\n`,
  );
  const preset = { preset: '@jig/embedded-database', testMatch: ['**/*.spec.cjs'] };
  const projects = ['a', 'b'].map((name) => ({
    ...preset,
    displayName: name,
    rootDir: `./${name}`,
    globalSetup: './setup.cjs',
  }));
  writeFileSync(join(project, 'jest.config.json'), JSON.stringify({ projects }));
  writeFileSync(
    join(project, 'cores.cjs'),
    `const os = require('node:os');\nconst count = Number(process.env.MATRIX_CORES);\nos.availableParallelism = () => count;\nos.cpus = () => Array.from({ length: count }, () => ({ model: '', speed: 0, times: {} }));\nrequire('node:module').syncBuiltinESMExports();\n`,
  );
}

function environment(project, count) {
  const log = join(project, 'databases.log');
  writeFileSync(log, '');
  return {
    log,
    env: {
      ...process.env,
      NODE_OPTIONS: `--require=${join(project, 'cores.cjs')}`,
      MATRIX_CORES: String(count),
      MATRIX_LOG: log,
      FORCE_COLOR: '0',
      CI: '',
    },
  };
}

function programOf(project, kind) {
  return join(project, 'node_modules', kind, kind === 'vitest' ? 'vitest.mjs' : 'bin/jest.js');
}

/** Ends when the output says so, or with the program; gives whether all was well, and how long it took. */
function runOnce(project, kind, count, ...args) {
  const { env, log } = environment(project, count);
  const start = Date.now();
  const own = kind === 'vitest' ? ['run', ...args] : args;
  try {
    execFileSync(process.execPath, [programOf(project, kind), ...own], {
      cwd: project,
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  } catch (error) {
    say(error.stdout + error.stderr);
    throw new Error(`${kind} failed with ${count} cores`);
  }
  const seconds = (Date.now() - start) / 1000;
  const names = readFileSync(log, 'utf8').trim().split('\n');
  return { names, seconds };
}

function checkDistinct(names, expected) {
  if (names.length !== expected || new Set(names).size !== expected)
    throw new Error(`${names.length} files ran in ${new Set(names).size} databases; ${expected} were expected`);
}

/** Changes a file that all tests of a project import, and waits until they have run again. */
async function watch(project, kind, count) {
  const { env, log } = environment(project, count);
  const args = kind === 'vitest' ? ['watch'] : ['--watchAll'];
  const child = spawn(process.execPath, [programOf(project, kind), ...args], {
    cwd: project,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  const take = (chunk) => {
    output += chunk;
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const all = 2 * filesOfProject;
  const ran = () => readFileSync(log, 'utf8').split('\n').length - 1;
  const until = async (wanted) => {
    for (const deadline = Date.now() + 120_000; ran() < wanted; ) {
      if (Date.now() > deadline || child.exitCode !== null)
        throw new Error(`${kind} --watch ran ${ran()} files of ${wanted}:\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    // The runner has to see the end of the run before it watches again.
    await new Promise((resolve) => setTimeout(resolve, 2500));
  };
  try {
    await until(all);
    for (let rerun = 1; rerun <= reruns; rerun++) {
      for (const name of ['a', 'b'])
        appendFileSync(join(project, name, kind === 'vitest' ? 'changed.mjs' : 'changed.cjs'), '\n');
      await until(all * (rerun + 1));
    }
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGKILL'), 20_000).unref();
    await ended;
  }
  if (/\bfailed\b|FAIL/i.test(output)) throw new Error(output);
  checkDistinct(readFileSync(log, 'utf8').trim().split('\n'), all * (reruns + 1));
}

/** Two files of Playwright; each test has a database of its own. */
function runPlaywright(project) {
  writeFileSync(
    join(project, 'schema.sql'),
    'create table seeds (n int); insert into seeds values (1); create table only_a (n int);',
  );
  writeFileSync(
    join(project, 'setup.ts'),
    `import { databaseSetup } from '@jig/embedded-database/playwright';\nexport default databaseSetup({ migrations: 'schema.sql' });\n`,
  );
  writeFileSync(
    join(project, 'playwright.config.ts'),
    `export default { globalSetup: './setup.ts', fullyParallel: true, workers: 4, reporter: 'line' };\n`,
  );
  const body = bodyOfTest('a')
    .replaceAll('process.env.DATABASE_URL', 'database.url')
    .replaceAll('process.env.PGDATABASE', 'database.name');
  for (const file of ['one', 'two'])
    writeFileSync(
      join(project, `${file}.spec.ts`),
      `import { appendFileSync } from 'node:fs';
import { test as base, expect } from '@playwright/test';
import { type DatabaseFixtures, databaseFixtures } from '@jig/embedded-database/playwright';
import pg from 'pg';
const test = base.extend<DatabaseFixtures>(databaseFixtures);
for (const number of ${JSON.stringify(numbers)}) test('is fresh ' + number, async ({ database }) => {${body}});
`,
    );
  const {
    env: { NODE_OPTIONS: _cores, ...env },
    log,
  } = environment(project, 4);
  const program = join(project, 'node_modules', '@playwright', 'test', 'cli.js');
  execFileSync(process.execPath, [program, 'test'], { cwd: project, env, stdio: 'pipe' });
  checkDistinct(readFileSync(log, 'utf8').trim().split('\n'), 2 * filesOfProject);
}

async function runMatrix(project, kind, version) {
  writeProject(project, kind);
  runOnce(project, kind, 2, 'a/1.spec');
  for (const count of cores) {
    const { names, seconds } = runOnce(project, kind, count);
    checkDistinct(names, 2 * filesOfProject);
    const one = runOnce(project, kind, count, 'a/1.spec');
    say(
      `${kind} ${version}, ${count} cores: 40 files in ${seconds.toFixed(1)} s, one file in ${one.seconds.toFixed(1)} s`,
    );
  }
  // Workers that keep modules, and those with contexts of their own, with which vitest 5 alone fails on Node 20.
  const pools = ['--no-isolate', ...(version.startsWith('5.') ? [] : ['--pool=vmThreads'])];
  for (const flag of kind === 'vitest' ? pools : [])
    checkDistinct(runOnce(project, kind, 4, flag).names, 2 * filesOfProject);
  await watch(project, kind, 4);
  say(`${kind} ${version}: watch mode, ${reruns} reruns of 40 files, all fresh`);
}

const failures = [];
try {
  const tarball = pack();
  for (const runner of runners) {
    const name = runner.slice(0, runner.lastIndexOf('@'));
    const project = join(folder, runner.replace(/\W+/g, '-'));
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{"private":true}');
    try {
      npm(project, 'install', tarball, 'pg', runner);
      const { version } = JSON.parse(readFileSync(join(project, 'node_modules', name, 'package.json'), 'utf8'));
      if (name === 'vitest' || name === 'jest') await runMatrix(project, name, version);
      else runPlaywright(project);
      say(`${name} ${version}: all well`);
    } catch (error) {
      failures.push(runner);
      say(`${runner} failed: ${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exitCode = failures.length > 0 ? 1 : 0;
