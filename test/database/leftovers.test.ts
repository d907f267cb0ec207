import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type RunningDatabase, startDatabase } from '@jig/embedded-database';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeTemporaryFolder, processesWith } from './temporary-folder.ts';

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}.mjs`, import.meta.url));

describe.runIf(process.platform === 'linux')('what a killed process leaves', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  const children: ChildProcess[] = [];
  /** Runs all the time. */
  let beside: Pick<RunningDatabase, 'pid' | 'folder'>;

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    // The starts after those that were killed are of this process.
    vi.stubEnv('TMPDIR', folder.path);
    const [, pid, home = ''] = (await startUntil('ready')).line.split(' ');
    beside = { pid: Number(pid), folder: home };
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    for (const child of children) child.kill('SIGKILL');
    while (processesWith(folder.path).length > 0) await sleep(20);
    await folder.remove();
  });

  /** A process with a database; gives it when it says this. */
  async function startUntil(said: string, phase = 'running'): Promise<{ child: ChildProcess; line: string }> {
    const env = { PATH: process.env.PATH, TMPDIR: folder.path };
    const child = spawn(process.execPath, [fixture('start-and-wait'), phase], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(child);
    for await (const line of createInterface({ input: child.stdout }))
      if (line.startsWith(said)) {
        child.stdout.resume();
        return { child, line };
      }
    throw new Error(`The process never said ${said}.`);
  }

  async function kill(child: ChildProcess): Promise<void> {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }

  it.each([
    ['crashes', 'crashing', 1],
    ['comes to its end without a stop', 'ending', 0],
    ['is killed while the database runs', 'running', null],
  ] as const)('is nothing a moment after the process %s', async (_how, phase, code) => {
    const { child, line } = await startUntil('ready', phase);
    if (code === null) await kill(child);
    else if (child.exitCode === null) await once(child, 'exit');
    expect(child.exitCode).toBe(code);
    const [, , home = ''] = line.split(' ');
    await expect.poll(() => existsSync(home), { interval: 150 }).toBe(false);
    await expect.poll(() => processesWith(home), { interval: 150 }).toEqual([]);
  });

  const phases = [
    ['making the template', 'initialising', 'running'],
    ['copying', 'copying', 'copying'],
    ['starting', 'starting', 'running'],
    ['running', 'ready', 'running'],
    ['cloning', 'cloning', 'cloning'],
    ['stopping', 'stopping', 'stopping'],
  ] as const;

  it.each(phases)(
    'is removed by the next start when it was killed while %s, without disturbing another run',
    async (_phase, said, phase) => {
      if (said === 'initialising') await rm(join(folder.root, 'templates'), { recursive: true });
      await kill((await startUntil(said, phase)).child);
      const next = await startDatabase();
      try {
        const folders = [beside.folder, next.folder];
        const databases = async () => (await folder.databases()).filter((entry) => !entry.endsWith('.lock')).sort();
        // A server that is ending may write for some more seconds, and a start goes on with the copy for the one after it.
        await expect.poll(databases).toEqual(folders.map((home) => basename(home)).sort());
        await expect.poll(() => processesWith(folder.path, folders), { interval: 150 }).toEqual([]);
        for (const { pid } of [beside, next]) expect(existsSync(`/proc/${pid}`)).toBe(true);
      } finally {
        await next.stop();
      }
    },
  );
});
