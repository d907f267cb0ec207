import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SmallDisk } from '../packages/embedded-database/test-fixtures/small-disk.ts';

const module = new URL('memory-folder.mjs', import.meta.url).href;
const { canHoldTests, makeMemoryFolder } = (await import(module)) as {
  readonly canHoldTests: (folder: string, facts: { needed: number; free: number; mounts: string }) => boolean;
  readonly makeMemoryFolder: (folder: string, options?: { rm: () => never }) => () => void;
};

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jig-memory-'));
  return () => rmSync(folder, { recursive: true });
});

describe('canHoldTests', () => {
  const tmpfs = (options: string) => (path: string) => `proc /proc proc rw 0 0\ntmpfs ${path} tmpfs ${options} 0 0\n`;
  const enough = { needed: 1, free: 2 };

  it.each([
    ['true for a tmpfs', tmpfs('rw,nosuid,nodev'), enough, true],
    ['false where no program can be run', tmpfs('rw,noexec'), enough, false],
    ['false for a disk', (path: string) => `/dev/vda ${path} ext4 rw 0 0\n`, enough, false],
    ['false for a folder that is no file system of its own', tmpfs('rw'), enough, false, 'inside'],
    ['false for a folder that does not exist', tmpfs('rw'), enough, false, 'nowhere', 'nowhere'],
    ['false when memory is scarce', tmpfs('rw'), { needed: 2, free: 2 }, false],
    ['false when the file system is too small', tmpfs('rw'), { needed: Number.MAX_VALUE, free: Infinity }, false],
  ])('is %s', (_title, lines, facts, expected, asked = '', mounted = '') => {
    mkdirSync(join(folder, 'inside'));
    const mounts = join(folder, 'mounts');
    writeFileSync(mounts, lines(join(folder, mounted)));
    expect(canHoldTests(join(folder, asked), { ...facts, mounts })).toBe(expected);
  });

  it('is false on a system without a list of mounts', () => {
    expect(canHoldTests(folder, { ...enough, mounts: join(folder, 'nowhere') })).toBe(false);
  });
});

describe('makeMemoryFolder', () => {
  /** Of a process that has ended. */
  const { pid } = spawnSync('true');

  it('makes a folder that every user can write to, and gives what removes it with its files', () => {
    const made = join(folder, 'jig-tests-1');
    const remove = makeMemoryFolder(made);
    expect(statSync(made).mode & 0o7777).toBe(0o1777);
    writeFileSync(join(made, 'file'), '');
    remove();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('removes the folders of runs that were killed, and nothing else', () => {
    const kept = [`jig-tests-${process.pid}`, 'jig-tests-of-somebody', `others-${pid}`];
    for (const name of [...kept, `jig-tests-${pid}`]) mkdirSync(join(folder, name, 'data'), { recursive: true });
    makeMemoryFolder(join(folder, 'jig-tests-new'));
    expect(readdirSync(folder).sort()).toEqual([...kept, 'jig-tests-new'].sort());
  });

  it('removes the folder of a run that was killed while a small disk was mounted in it', async ({ skip }) => {
    const disk = await SmallDisk.mount(join(folder, `jig-tests-${pid}`, 'data', 'small'), 1, skip);
    onTestFinished(() => disk.unmount());
    makeMemoryFolder(join(folder, 'jig-tests-new'));
    expect(readdirSync(folder)).toEqual(['jig-tests-new']);
  });

  it('names and leaves a folder that cannot be removed', () => {
    using warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const name = `jig-tests-${pid}`;
    mkdirSync(join(folder, name));
    // What the system refuses to remove differs by user, file system and version of Node.
    const rm = () => {
      throw Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY' });
    };
    makeMemoryFolder(join(folder, 'jig-tests-new'), { rm });
    expect(readdirSync(folder).sort()).toEqual([name, 'jig-tests-new'].sort());
    expect(warn).toHaveBeenCalledExactlyOnceWith(`${join(folder, name)} cannot be removed: EBUSY`);
  });
});
