import { mkdir, mkdtemp, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lacksGlibc, libraryEnvironment } from './postgresql-programs.ts';

describe('the links of the shared libraries', () => {
  let folder: string;
  let native: string;
  let libraries: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jig-links-'));
    native = join(folder, 'package', 'native');
    libraries = join(folder, 'lib');
    await mkdir(join(native, 'lib'), { recursive: true });
    await writeFile(join(native, 'lib', 'libpq.so.5.18'), '');
    const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
    await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are made in a folder of our own when the install script did not run', async () => {
    const [paths] = Object.values(await libraryEnvironment(native, libraries));
    expect(paths).toBe(`${libraries}:${join(native, 'lib')}`);
    expect(await readlink(join(libraries, 'libpq.so.5'))).toBe(join(native, 'lib', 'libpq.so.5.18'));
  });

  it('are repaired when the package has moved', async () => {
    await mkdir(libraries);
    await symlink('/somewhere/else', join(libraries, 'libpq.so.5'));
    await libraryEnvironment(native, libraries);
    expect(await readlink(join(libraries, 'libpq.so.5'))).toBe(join(native, 'lib', 'libpq.so.5.18'));
  });

  it('are left to the package when it has them', async () => {
    await symlink('libpq.so.5.18', join(native, 'lib', 'libpq.so.5'));
    expect(await libraryEnvironment(native, libraries)).toEqual({});
  });
});

describe('the programs of npm', () => {
  it('are not tried where glibc is missing, as on Alpine', () => {
    expect(lacksGlibc('linux-x64', () => false)).toBe(true);
    expect(lacksGlibc('linux-arm64', () => true)).toBe(false);
    expect(lacksGlibc('darwin-arm64', () => false)).toBe(false);
  });
});
