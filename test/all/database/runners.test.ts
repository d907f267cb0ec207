import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../database/temporary-folder.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const example = (name: string) => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));

/** The program of a package. */
function program(name: string, file: string): string {
  return join(dirname(require.resolve(`${name}/package.json`)), file);
}

describe.concurrent('a runner with the set-up for it', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
  });

  afterAll(async () => {
    expect(await folder.databases()).toEqual([]);
    await folder.remove();
  });

  const runIn = (cwd: string, ...args: string[]) => runWith({}, cwd, ...args);

  async function runWith(variables: NodeJS.ProcessEnv, cwd: string, ...args: string[]): Promise<string> {
    const env = { PATH: process.env.PATH, TMPDIR: folder.path, CI: '1', ...variables };
    const { stdout, stderr } = await run(process.execPath, args, { cwd, env }).catch((error: Error) => {
      const { stdout: said, stderr: complained } = error as unknown as { stdout: string; stderr: string };
      throw new Error(`${said}\n${complained}`);
    });
    return stdout + stderr;
  }

  interface Visit {
    readonly project: string;
    readonly name: string;
    readonly used: boolean;
    readonly worker: string;
  }

  /** Two projects of vitest with three files each, run twice on eight cores. */
  async function visits(isolation?: string): Promise<readonly Visit[]> {
    const VISITS = join(folder.path, `visits-${randomUUID()}`);
    const env = { VISITS, ...(isolation === undefined ? {} : { ISOLATION: isolation }) };
    const project = fileURLToPath(new URL('fixtures/vitest-projects', import.meta.url));
    await runWith(env, project, 'run-again.mjs');
    const lines = (await readFile(VISITS, 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(12);
    return lines.map((line) => JSON.parse(line) as Visit);
  }

  const distinct = (values: readonly unknown[]) => new Set(values).size;

  it('vitest gives databases to projects when only the root has the set-up', async () => {
    const project = fileURLToPath(new URL('fixtures/vitest-root-setup', import.meta.url));
    const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url));
    expect(await runIn(project, vitest, 'run', '--config', 'vitest.config.mjs', '--root', '.')).toContain('2 passed');
  });

  it('vitest gives each file of each project a fresh database in each run, with any number of workers', async () => {
    const all = await visits();
    expect(distinct(all.map(({ name }) => name))).toBe(12);
    expect(all.filter(({ used }) => used)).toEqual([]);
    expect(distinct(all.map(({ worker }) => worker))).toBeGreaterThan(1);
  });

  it('vitest gives each worker a fresh database with isolation worker', async () => {
    const all = await visits('worker');
    const halves = [all.slice(0, 6), all.slice(6)];
    for (const half of halves) {
      const pairs = half.map(({ name, worker, project }) => `${project} ${worker} ${name}`);
      expect(distinct(pairs)).toBe(distinct(half.map(({ name }) => name)));
    }
    expect(all.slice(6).map(({ name }) => name)).not.toContain(all[0]?.name);
  });

  it('vitest gives all tests of a project one fresh database with isolation run', async () => {
    const all = await visits('run');
    expect(distinct(all.map(({ name }) => name))).toBe(4);
  });

  it('vitest gives each file a migrated database, and a test a clone on request', async () => {
    const output = await runIn(example('database-vitest'), program('vitest', 'vitest.mjs'), 'run', '--reporter=json');
    expect(JSON.parse(output.slice(output.indexOf('{"')))).toMatchObject({ numPassedTests: 5, numFailedTests: 0 });
  });

  it('jest gives each file a fresh database', async () => {
    const project = fileURLToPath(new URL('fixtures/jest-project', import.meta.url));
    const output = await runIn(project, program('jest', 'bin/jest.js'), '--json');
    expect(JSON.parse(output.slice(output.indexOf('{"')).split('\n')[0] ?? '')).toMatchObject({
      numPassedTests: 2,
      numFailedTests: 0,
    });
  });

  it('node:test gives each test a clone', async () => {
    const output = await runIn(example('database-node-test'), '--test', '--test-reporter=tap', 'test/visits.test.mjs');
    expect(output).toMatch(/^# pass 3$/m);
  });

  it('node:test gives each file a fresh database by a module for --import', async () => {
    const project = fileURLToPath(new URL('fixtures/node-test-project', import.meta.url));
    const flags = ['--import', './setup.mjs', '--test', '--test-reporter=tap', 'one.test.mjs', 'two.test.mjs'];
    expect(await runIn(project, ...flags)).toMatch(/^# pass 2$/m);
    const plain = await runIn(project, '--import', './setup.mjs', '--test-reporter=tap', 'one.test.mjs');
    expect(plain).toMatch(/^# pass 1$/m);
  });

  it('node:test shares one server under jig-database', async () => {
    const project = fileURLToPath(new URL('fixtures/node-test-project', import.meta.url));
    const bin = fileURLToPath(new URL('../../../packages/embedded-database/bin/jig-database.js', import.meta.url));
    const register = ['--import', '@jig/embedded-database/register', '--test', '--test-reporter=tap'];
    const command = [process.execPath, ...register, 'one.test.mjs', 'two.test.mjs'];
    const output = await runIn(project, bin, '--verbose', '--migrations', 'schema.sql', '--', ...command);
    expect(output).toMatch(/^# pass 2$/m);
    expect(output.match(/is ready at/g)).toHaveLength(1);
    expect(output.match(/^starting PostgreSQL/gm)).toHaveLength(1);
  });

  it('node:test works without a set-up module of your own', async () => {
    const question = 'console.log(new URL(process.env.DATABASE_URL).pathname.slice(1) === process.env.PGDATABASE)';
    const flags = ['--import', '@jig/embedded-database/register', '--eval', question];
    expect(await runIn(fileURLToPath(new URL('.', import.meta.url)), ...flags)).toBe('true\n');
  });

  it('a script with Kysely prints its rows and leaves nothing', async () => {
    expect(await runIn(example('database-kysely'), 'dist/main.js')).toBe(
      'Persuasion: 249 pages\nThe Waves: 320 pages\nMiddlemarch: 880 pages\n',
    );
  });
});
