import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { identify, isAlive, signal } from './process-identity.ts';

describe('the identity of a process', () => {
  it('distinguishes a living process from an ended one', async () => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const identity = await identify(child.pid ?? 0);
    expect(identity).toBeDefined();
    if (identity === undefined) return;
    expect(await isAlive(identity)).toBe(true);
    expect(await isAlive({ ...identity, startTime: '1' })).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await isAlive(identity)).toBe(false);
    expect(signal(identity.pid, 'SIGTERM')).toBe(false);
  });

  it('treats a zombie as ended', async () => {
    // The shell replaces itself by a program that never collects its dead child.
    const parent = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60']);
    const [output] = (await once(parent.stdout, 'data')) as [Buffer];
    const zombie = Number(output.toString());
    await expect.poll(() => identify(zombie)).toBeUndefined();
    expect(signal(zombie, 'SIGCONT')).toBe(true);
    parent.kill('SIGKILL');
  });

  it('is not confused by a program with a misleading name', async () => {
    const child = spawn(process.execPath, [
      '-e',
      'process.title = ") Z 1 ("; console.log(1); setTimeout(() => {}, 60_000)',
    ]);
    await once(child.stdout, 'data');
    expect(await identify(child.pid ?? 0)).toMatchObject({ startTime: expect.stringMatching(/^\d{3,}$/) });
    child.kill('SIGKILL');
  });
});
