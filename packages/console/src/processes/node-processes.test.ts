import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listProcesses } from './node-processes.ts';

const { platform } = process;

afterEach(() => {
  Object.defineProperty(process, 'platform', { value: platform });
  vi.unstubAllEnvs();
});

describe('the Node processes of this user', () => {
  it('include this one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jig-'));
    // Where no mount of another test in this process is announced.
    vi.stubEnv('XDG_RUNTIME_DIR', '');
    vi.stubEnv('TMPDIR', folder);
    const { processes, problem } = await listProcesses();
    await rm(folder, { recursive: true });
    expect(problem).toBeUndefined();
    expect(processes.find(({ pid }) => pid === process.pid)).toMatchObject({
      parentPid: process.ppid,
      node: process.versions.node,
      isTool: true,
    });
  });

  it('have the version of their executable, even if the file was replaced', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jig-'));
    const program = join(folder, 'node');
    await copyFile(process.execPath, program);
    const child = spawn(program, ['-e', 'console.log(1); setInterval(() => {}, 1e6)']);
    await once(child.stdout, 'data');
    await rm(program);
    await writeFile(program, '#!/bin/sh\necho v1.2.3\n', { mode: 0o755 });
    const { processes } = await listProcesses();
    child.kill('SIGKILL');
    await rm(folder, { recursive: true });
    const expected = platform === 'linux' ? process.versions.node : '1.2.3';
    expect(processes.find(({ pid }) => pid === child.pid)?.node).toBe(expected);
  });

  it.each([
    ['its package', '{"name":"shop"}', ['main.cjs'], 'shop'],
    ['its script', '{}', ['main.cjs', 'argument'], 'main.cjs'],
    ['its number', '{}', ['-e', 'console.log(1); setInterval(() => {}, 1e6)'], undefined],
  ])('are named after %s', async (_what, manifest, args, name) => {
    const folder = await mkdtemp(join(tmpdir(), 'jig-'));
    await writeFile(join(folder, 'package.json'), manifest);
    await writeFile(join(folder, 'main.cjs'), 'console.log(1); setInterval(() => {}, 1e6)');
    const child = spawn(process.execPath, args, { cwd: folder });
    await once(child.stdout, 'data');
    const { processes } = await listProcesses();
    child.kill('SIGKILL');
    await rm(folder, { recursive: true });
    expect(processes.find(({ pid }) => pid === child.pid)?.name).toBe(name ?? `process ${child.pid}`);
  });

  it('are unknown on Windows, with an error that says so', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jig-'));
    vi.stubEnv('XDG_RUNTIME_DIR', folder);
    vi.stubEnv('TMPDIR', folder);
    Object.defineProperty(process, 'platform', { value: 'win32' });
    const { processes, problem } = await listProcesses();
    await rm(folder, { recursive: true });
    expect(problem).toBe('On win32, Jig does not know how to list processes. Use Linux, macOS or WSL.');
    expect(processes).toEqual([]);
  });
});
