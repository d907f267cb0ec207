import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, processesWith } from '../../database/temporary-folder.ts';

const require = createRequire(import.meta.url);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const bin = here('../../../packages/embedded-database/bin/jig-database.js');
const program = (name: string, file: string) => join(dirname(require.resolve(`${name}/package.json`)), file);

describe('the database of a test file that fails', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
  });

  afterAll(() => folder.remove());

  function run(args: readonly string[], variables = {}): Promise<{ code: number; stdout: string; stderr: string }> {
    const env = { PATH: process.env.PATH, TMPDIR: folder.path, ...variables };
    return new Promise((resolve) => {
      execFile(process.execPath, args, { env, cwd: here('fixtures/failing-project') }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  }

  it.each([
    ['vitest', [program('vitest', 'vitest.mjs'), 'run']],
    ['jest', [program('jest', 'bin/jest.js')]],
  ])('%s keeps with JIG_KEEP, for psql, until it is dropped', async (runner, command) => {
    const { code, stderr } = await run(command, { JIG_KEEP: '1' });
    expect(code).toBe(1);
    const lines = [
      ...stderr.matchAll(/^psql (postgresql:\S+) {2}# (\S+), until \d\d:\d\d, or npx jig-database drop (\w+)$/gm),
    ];
    expect(lines.map(([, , file]) => file)).toEqual([expect.stringContaining(`failing.${runner}.`)]);
    const [[, url = '', , name = ''] = []] = lines;
    const client = new pg.Client(url);
    await client.connect();
    expect((await client.query('select of from evidence')).rows).toEqual([{ of: 'failing' }]);
    await client.end();
    expect((await run([bin, 'list'])).stdout).toMatch(
      new RegExp(`^${name}  failing\\.${runner}\\.\\S+  until .*  postgresql:`),
    );
    expect(await run([bin, 'drop', 'another'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No database "another" is kept'),
    });
    expect(await run([bin, 'drop', name])).toMatchObject({ code: 0 });
    expect((await run([bin, 'list'])).stdout).toBe('');
    expect(await folder.databases()).toEqual([]);
    if (process.platform === 'linux') expect(processesWith(folder.path)).toEqual([]);
  });

  it('node:test keeps too', async () => {
    const { stdout } = await run(
      [
        '--import',
        '../node-test-project/setup.mjs',
        '--test',
        '--test-reporter=tap',
        '../node-test-project/one.test.mjs',
      ],
      { JIG_KEEP: '1', FAILS: '1' },
    );
    // The runner prints what a test file says.
    expect(stdout).toMatch(/^# psql postgresql:\S+ {2}\\?# \S*one\.test\.mjs, until/m);
    expect(await run([bin, 'drop'])).toMatchObject({ code: 0 });
    expect(await folder.databases()).toEqual([]);
  });

  it('goes with the run otherwise', async () => {
    const { code, stderr } = await run([program('vitest', 'vitest.mjs'), 'run']);
    expect(code).toBe(1);
    expect(stderr).not.toContain('psql');
    expect(await folder.databases()).toEqual([]);
  });

  it('is removed by the next start when its keeper was killed', async () => {
    await run([program('jest', 'bin/jest.js')], { JIG_KEEP: '1' });
    const [kept = ''] = await folder.databases();
    expect(kept).toMatch(/^kept-/);
    const keepers =
      process.platform === 'linux'
        ? processesWith('keep-running').filter((pid) => processesWith(kept).includes(pid))
        : [];
    for (const pid of keepers) process.kill(pid, 'SIGKILL');
    await expect
      .poll(async () => (await run([bin, '--', 'true'])).code === 0 && folder.databases(), { timeout: 60_000 })
      .toEqual([]);
  });
});
