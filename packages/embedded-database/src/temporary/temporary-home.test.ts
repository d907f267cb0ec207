import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processSpace } from '../server/process-identity.ts';
import { makeTemporaryHome, removeLeftovers } from './temporary-home.ts';

describe('the folders of temporary databases', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'jig-homes-'));
    await mkdir(join(root, 'templates'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('are separate, and stay while their process lives', async () => {
    const homes = [await makeTemporaryHome(root, undefined), await makeTemporaryHome(root, undefined)];
    await removeLeftovers(root);
    expect((await readdir(root)).sort()).toEqual([...homes.map((home) => basename(home)), 'templates'].sort());
  });

  it('are removed when their process has ended or its pid is reused, and servers in them are ended', async () => {
    const server = spawn('sleep', ['600'], { argv0: 'postgres', detached: true });
    const ended = once(server, 'exit');
    await once(server, 'spawn');
    const space = await processSpace();
    const path = await makeTemporaryHome(root, undefined);
    const [, pid, started] = basename(path).split('-');
    for (const name of [`${space}-4194304-${started}-00000000`, `${space}-${pid}-00000000-00000000`]) {
      await mkdir(join(root, name, 'postgresql'), { recursive: true });
      await writeFile(join(root, name, 'postgresql', 'postmaster.pid'), `${server.pid}\n`);
    }
    await removeLeftovers(root);
    expect((await readdir(root)).sort()).toEqual([basename(path), 'templates'].sort());
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  it('of another machine or container are removed after a day', async () => {
    const [young, old] = ['aaaaaaaa-1-00000000-00000000', 'aaaaaaaa-2-00000000-00000000'] as const;
    for (const name of [young, old]) await mkdir(join(root, name));
    const before = new Date(Date.now() - 25 * 3_600_000);
    await utimes(join(root, old), before, before);
    await removeLeftovers(root);
    expect((await readdir(root)).sort()).toEqual([young, 'templates']);
  });
});
