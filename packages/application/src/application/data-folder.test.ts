import { mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareHome } from './data-folder.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-home-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe('prepareHome', () => {
  const modeOf = async (path: string) => (await stat(join(folder, path))).mode & 0o777;
  const unwritable = (code: string) => ({
    code: 'JIG_HOME_UNWRITABLE',
    message: expect.stringContaining(`cannot be written to (${code});`) as string,
  });

  it('creates missing folders that other users can enter but not list', async () => {
    expect(await prepareHome(folder, 'a/b/c')).toBe(join(folder, 'a/b/c'));
    expect(await Promise.all(['a', 'a/b', 'a/b/c'].map(modeOf))).toEqual([0o711, 0o711, 0o711]);
  });

  it('leaves an existing folder as it is, also behind a link', async () => {
    await mkdir(join(folder, 'there'), { mode: 0o700 });
    await symlink('there', join(folder, 'link'));
    await prepareHome(folder, 'there');
    await prepareHome(folder, 'link/below');
    expect(await modeOf('there')).toBe(0o700);
    expect(await modeOf('there/below')).toBe(0o711);
    expect(await prepareHome(folder, '.')).toBe(folder);
  });

  it('rejects a path that is not a folder', async () => {
    await writeFile(join(folder, 'file'), '');
    await symlink('nowhere', join(folder, 'link'));
    await expect(prepareHome(folder, 'file')).rejects.toMatchObject(unwritable('EEXIST'));
    await expect(prepareHome(folder, 'file/a/b')).rejects.toMatchObject(unwritable('ENOTDIR'));
    await expect(prepareHome(folder, 'link/a')).rejects.toMatchObject(unwritable('ENOTDIR'));
  });
});
