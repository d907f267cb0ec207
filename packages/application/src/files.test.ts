import { link, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder, writeSecretFile } from './files.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-secret-file-'));
  file = join(folder, 'secret');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('writes for the owner alone, and replaces what is there only by renaming', async () => {
  await writeSecretFile(file, 'first', link);
  await expect(writeSecretFile(file, 'second', link)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(await readFile(file, 'utf8')).toBe('first');
  await writeSecretFile(file, 'third', rename);
  expect(await readFile(file, 'utf8')).toBe('third');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['secret']);
});

it('leaves nothing behind when it fails', async () => {
  await mkdir(file);
  await expect(writeSecretFile(file, 'content', rename)).rejects.toMatchObject({ code: 'EISDIR' });
  expect(await readdir(folder)).toEqual(['secret']);
});

describe('makeFolder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jig-make-folder-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

  it('makes what is missing on the way too, all with the mode asked for', async () => {
    await makeFolder(join(folder, 'a', 'b', 'c'), 0o711);
    expect(await Promise.all(['a', 'a/b', 'a/b/c'].map((path) => modeOf(join(folder, path))))).toEqual([
      0o711, 0o711, 0o711,
    ]);
  });

  it('leaves a folder alone that is there, also behind a link', async () => {
    await mkdir(join(folder, 'there'), { mode: 0o700 });
    await symlink('there', join(folder, 'link'));
    await makeFolder(join(folder, 'there'), 0o711);
    await makeFolder(join(folder, 'link', 'below'), 0o711);
    expect(await modeOf(join(folder, 'there'))).toBe(0o700);
    expect(await modeOf(join(folder, 'there', 'below'))).toBe(0o711);
    await makeFolder('/');
    await makeFolder('.');
  });

  it('lets several make the same folder at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => makeFolder(join(folder, 'a', 'b', 'c'))));
    expect((await stat(join(folder, 'a', 'b', 'c'))).isDirectory()).toBe(true);
  });

  it('ends with the first error', async () => {
    await writeFile(join(folder, 'file'), '');
    await symlink('nowhere', join(folder, 'link'));
    await expect(makeFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeFolder(join(folder, 'file', 'a', 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(makeFolder(join(folder, 'link', 'a'))).rejects.toMatchObject({ code: 'EEXIST' });
  });

  it.runIf(process.platform === 'linux')('ends where no folder can be made although nothing forbids it', async () => {
    await expect(makeFolder('/proc/nope')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(makeFolder('/proc/nope/below/it')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
