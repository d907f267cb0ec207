import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const example = (name: string) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));

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

  async function runIn(cwd: string, ...args: string[]): Promise<string> {
    const env = { PATH: process.env.PATH, TMPDIR: folder.path, CI: '1' };
    const { stdout, stderr } = await run(process.execPath, args, { cwd, env }).catch((error: Error) => {
      const { stdout: said, stderr: complained } = error as unknown as { stdout: string; stderr: string };
      throw new Error(`${said}\n${complained}`);
    });
    return stdout + stderr;
  }

  it('vitest gives each worker a migrated database, and each test that asks one of its own', async () => {
    const output = await runIn(example('database-vitest'), program('vitest', 'vitest.mjs'), 'run', '--reporter=json');
    expect(JSON.parse(output.slice(output.indexOf('{"')))).toMatchObject({ numPassedTests: 5, numFailedTests: 0 });
  });

  it('jest gives each worker a database', async () => {
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

  it('a script with Kysely prints its rows and leaves nothing', async () => {
    expect(await runIn(example('database-kysely'), 'dist/main.js')).toBe(
      'Persuasion: 249 pages\nThe Waves: 320 pages\nMiddlemarch: 880 pages\n',
    );
  });
});
