import { link, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeSecretFile } from './secret-file.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jig-secret-file-'));
  file = join(folder, 'secret');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('writeSecretFile writes for the owner alone, and replaces an existing file only by rename', async () => {
  await writeSecretFile(file, 'first', link);
  await expect(writeSecretFile(file, 'second', link)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(await readFile(file, 'utf8')).toBe('first');
  await writeSecretFile(file, 'third', rename);
  expect(await readFile(file, 'utf8')).toBe('third');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['secret']);
});

it('writeSecretFile leaves no temporary file behind when it fails', async () => {
  await mkdir(file);
  await expect(writeSecretFile(file, 'content', rename)).rejects.toMatchObject({ code: 'EISDIR' });
  expect(await readdir(folder)).toEqual(['secret']);
});
