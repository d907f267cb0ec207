import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimFolder } from './folder-owner.ts';
import { identify, processSpace } from './process-identity.ts';

describe('the owner of a database folder', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jig-owner-'));
    file = join(folder, 'server.json');
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const dead = { pid: 2 ** 22, startTime: '1' };
  const write = async (owner: object) =>
    writeFile(file, JSON.stringify({ host: hostname(), space: await processSpace(), application: dead, ...owner }));
  const held = { code: 'JIG_DATABASE_FOLDER_HELD' };

  it('is one at a time, and is named to others', async () => {
    const owner = await claimFolder(file);
    const message = expect.stringContaining(`${folder} is in use by the process ${process.pid}.`);
    await expect(claimFolder(file)).rejects.toMatchObject({ ...held, pid: process.pid, folder, message });
    await owner.release();
    await owner.release();
    await (await claimFolder(file)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is exactly one of many that start in a new folder at the same time', async () => {
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => claimFolder(file)));
    const taken = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(taken).toHaveLength(1);
    await taken[0]?.release();
  });

  it('is another process while that lives', async () => {
    await write({ application: await identify(process.ppid) });
    await expect(claimFolder(file)).rejects.toMatchObject({ ...held, pid: process.ppid });
  });

  it.each(['', '1234', '{'])('is nobody when its file holds %j', async (content) => {
    await writeFile(file, content);
    await (await claimFolder(file)).release();
  });

  it('is replaced when it was killed, and the new one looks for the server that is left', async () => {
    await write({});
    const owner = await claimFolder(file);
    expect(owner.previousWasKilled).toBe(true);
    await owner.release();
    const next = await claimFolder(file);
    expect(next.previousWasKilled).toBe(false);
    await next.release();
  });

  it('in another container counts while it touches its file', async () => {
    await write({ space: 'another', host: 'other-host' });
    await expect(claimFolder(file)).rejects.toMatchObject({
      ...held,
      message: expect.stringMatching(/ on other-host\./),
    });
    const before = new Date(Date.now() - 7000);
    await utimes(file, before, before);
    const owner = await claimFolder(file);
    // A process of another container cannot be found by its number.
    expect(owner.previousWasKilled).toBe(false);
    await owner.release();
  });
});
