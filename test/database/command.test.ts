import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTemporaryFolder, processesWith } from './temporary-folder.ts';

const bin = fileURLToPath(new URL('../../packages/embedded-database/bin/jig-database.js', import.meta.url));

describe('jig-database', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;

  beforeAll(async () => {
    folder = await makeTemporaryFolder('jig database ü-');
  });

  afterAll(async () => {
    expect((await folder.databases()).filter((entry) => !entry.endsWith('.lock'))).toEqual([]);
    if (process.platform === 'linux') expect(processesWith(folder.path)).toEqual([]);
    await folder.remove();
  });

  const env = () => ({ PATH: process.env.PATH, TMPDIR: folder.path });

  function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    return new Promise((resolve) => {
      execFile(process.execPath, [bin, ...args], { env: env() }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  }

  it('runs a command with the environment set, and passes its output and exit code on', async () => {
    const script = 'psql --no-psqlrc -Atc "select 42"; psql --no-psqlrc -At "$DATABASE_URL" -c "select 43"; exit 7';
    const { code, stdout, stderr } = await run('--', 'sh', '-c', script);
    expect({ code, stdout }).toEqual({ code: 7, stdout: '42\n43\n' });
    expect(stderr).toMatch(/^PostgreSQL 18\.\d+ is ready at postgresql:\/\//);
  });

  it('runs migrations and accepts settings', async () => {
    const file = join(folder.path, 'notes.sql');
    await writeFile(file, 'create table notes (n int); insert into notes values (1);');
    const script = 'psql --no-psqlrc -Atc "select n from notes" -c "show work_mem"';
    const { stdout } = await run('--migrations', file, '--set', 'work_mem=7MB', '--', 'sh', '-c', script);
    expect(stdout).toBe('1\n7MB\n');
  });

  it.each([
    [['--help'], 0, /^jig-database \[options\]/],
    [['npm', 'test'], 2, /Write -- before the command to run/],
    [['--colour'], 2, /Unknown option '--colour'\. jig-database --help/],
    [['--set', 'work_mem'], 2, /--set takes name=value/],
    [['--engine-version', '9'], 1, /version 9 was asked for, but 18/],
    [['--', 'no-such-program'], 127, /no-such-program cannot be run/],
  ])('%j ends with the exit code %i and one sentence', async (args, expected, sentence) => {
    const { code, stdout, stderr } = await run(...args);
    expect(code).toBe(expected);
    expect(stdout + stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  /** Starts it; gives it with its first line of output. */
  async function start(...args: string[]): Promise<{ child: ChildProcess; line: string }> {
    const child = spawn(process.execPath, [bin, ...args], { env: env(), stdio: ['ignore', 'pipe', 'ignore'] });
    for await (const line of createInterface({ input: child.stdout })) return { child, line };
    throw new Error('jig-database said nothing.');
  }

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('without a command runs until %s', async (signal) => {
    const { child, line } = await start();
    expect(line).toMatch(/^postgresql:\/\/jig:.*@127\.0\.0\.1:\d+\/jig$/);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('passes signals on to its command, and returns its exit code', async () => {
    const script = 'trap "exit 9" TERM; echo ready; while :; do sleep 0.05; done';
    const { child } = await start('--', 'sh', '-c', script);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([9, null]);
  });

  it('--keep keeps the data in the folder', async () => {
    const kept = join(folder.path, 'kept data');
    await mkdir(kept);
    await run('--keep', kept, '--', 'psql', '--no-psqlrc', '-c', 'create table kept (n int)');
    const { stdout } = await run('--keep', kept, '--', 'psql', '--no-psqlrc', '-Atc', 'select count(*) from kept');
    expect(stdout).toBe('0\n');
    expect(await readdir(kept)).toContain('postgresql');
  });
});
