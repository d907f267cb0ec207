import { chmod, cp, mkdir, mkdtemp, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  lacksGlibc,
  libraryEnvironment,
  programsIn,
  programsOfPackage,
  reachablePrograms,
} from './package-programs.ts';
import type { PostgresqlPrograms } from './programs.ts';
import { type RunAs, runAs } from './run-as.ts';

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

  it('are created in a folder of our own when the install script did not run', async () => {
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

  it('are those of the package when it has them', async () => {
    await symlink('libpq.so.5.18', join(native, 'lib', 'libpq.so.5'));
    expect(await libraryEnvironment(native, libraries)).toEqual({});
  });
});

describe('the programs of npm', () => {
  it('are not used without glibc, as on Alpine', () => {
    expect(lacksGlibc('linux-x64', () => false)).toBe(true);
    expect(lacksGlibc('linux-arm64', () => true)).toBe(false);
    expect(lacksGlibc('darwin-arm64', () => false)).toBe(false);
  });
});

describe.runIf(process.getuid?.() === 0)('the programs of PostgreSQL in a folder that only root may enter', () => {
  /** Where the user gets, whatever the temporary folder of the tests is. */
  let place: string;
  let folder: string;
  let programs: PostgresqlPrograms;
  let user: RunAs | undefined;

  beforeEach(async () => {
    user = await runAs('nobody');
    place = await mkdtemp('/var/tmp/jig-programs-');
    await chmod(place, 0o755);
    vi.stubEnv('TMPDIR', place);
    folder = await mkdtemp(join(place, 'closed-'));
    const installed = programsOfPackage(import.meta.url);
    if (installed === undefined) throw new Error('PostgreSQL is not installed');
    await mkdir(join(folder, 'native', 'bin'), { recursive: true });
    await cp(installed.postgres, join(folder, 'native', 'bin', 'postgres'));
    programs = programsIn(join(folder, 'native'), installed.version);
  });

  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(place, { recursive: true, force: true });
  });

  it('are copied once to a folder where the user can run them', async () => {
    const copied = await reachablePrograms(programs, user);
    expect(copied?.native).toMatch(/jig-postgresql-/);
    expect(await reachablePrograms(programs, user)).toEqual(copied);
  });

  it('are copied with the links of the install script, which point into the copy', async () => {
    await mkdir(join(folder, 'native', 'lib'));
    await writeFile(join(folder, 'native', 'lib', 'libpq.so.5.18'), '');
    await symlink('libpq.so.5.18', join(folder, 'native', 'lib', 'libpq.so.5'));
    const copied = await reachablePrograms(programs, user);
    expect(await readlink(join(copied?.native ?? '', 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
  });

  it('are not run from a folder that other users can write to', async () => {
    const copied = await reachablePrograms(programs, user);
    await chmod(join(copied?.native ?? '', '..'), 0o777);
    expect(await reachablePrograms(programs, user)).toBeUndefined();
  });

  it('are not copied when the user can reach them', async () => {
    await chmod(folder, 0o755);
    expect(await reachablePrograms(programs, user)).toBe(programs);
  });
});
