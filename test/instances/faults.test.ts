import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SmallDisk } from '../../packages/embedded-database/test-fixtures/small-disk.ts';
import { instancesOf, runtimeFolder, startApplication } from './start-application.ts';

describe('a full disk', () => {
  it('prevents a process from announcing itself, which logs it and leaves nothing', async ({ skip }) => {
    const runtime = runtimeFolder();
    const disk = await SmallDisk.mount(runtime, 1, skip);
    try {
      await disk.fill();
      await using application = await startApplication('single', { runtime });
      const answer = await fetch(`${application.url}/jig/bean/who.json?instance=other`);
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('ENOSPC')]);
      expect((await fetch(`${application.url}/jig/bean/who.json`)).status).toBe(200);
      expect(readdirSync(join(runtime, 'jig'))).toEqual([]);
    } finally {
      await disk.unmount();
      await rm(runtime, { recursive: true });
    }
  });

  it('does not hide a process that has announced itself before', async () => {
    await using first = await startApplication('single');
    const { runtime, process: child } = first;
    await using second = await startApplication('single', { runtime });
    // No write of it succeeds from now on, as on a full disk, where another may take what it frees.
    execFileSync('prlimit', [`--pid=${child.pid}`, '--fsize=0']);
    // At its first request, it would tell its address too.
    expect((await fetch(`${first.url}/jig/bean/who.json`)).status).toBe(200);
    expect(await instancesOf(second.url)).toHaveLength(2);
    expect(readdirSync(join(runtime, 'jig'))).toHaveLength(4);
  });
});
