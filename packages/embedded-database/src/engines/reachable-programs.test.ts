import { chmod, cp, mkdir, mkdtemp, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runAs } from '../supervisor/run-as.ts';
import { type PostgresqlPrograms, programsIn, programsOfPackage, reachablePrograms } from './postgresql-programs.ts';

describe.runIf(process.getuid?.() === 0)('the programs of PostgreSQL in a folder that only root may enter', () => {
  let folder: string;
  let programs: PostgresqlPrograms;
  const copies: string[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jig-closed-'));
    const installed = programsOfPackage(import.meta.url);
    if (installed === undefined) throw new Error('PostgreSQL is not installed');
    await mkdir(join(folder, 'native', 'bin'), { recursive: true });
    await cp(installed.postgres, join(folder, 'native', 'bin', 'postgres'));
    programs = programsIn(join(folder, 'native'), installed.version);
  });

  afterEach(async () => {
    for (const copied of [folder, ...copies.splice(0)]) await rm(copied, { recursive: true, force: true });
  });

  it('are copied once to where the user can run them', async () => {
    const user = await runAs('nobody');
    const copied = await reachablePrograms(programs, user);
    expect(copied).toBeDefined();
    copies.push(join(copied?.native ?? folder, '..'));
    expect(copied?.native?.startsWith(folder)).toBe(false);
    expect(await reachablePrograms(programs, user)).toEqual(copied);
  });

  it('are copied with the links that the install script has made, which stay within the copy', async () => {
    await mkdir(join(folder, 'native', 'lib'));
    await writeFile(join(folder, 'native', 'lib', 'libpq.so.5.18'), '');
    await symlink('libpq.so.5.18', join(folder, 'native', 'lib', 'libpq.so.5'));
    const copied = await reachablePrograms(programs, await runAs('nobody'));
    copies.push(join(copied?.native ?? folder, '..'));
    expect(await readlink(join(copied?.native ?? '', 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
  });

  it('are not run from a folder that others may write to', async () => {
    const user = await runAs('nobody');
    const copied = await reachablePrograms(programs, user);
    const place = join(copied?.native ?? folder, '..');
    copies.push(place);
    await chmod(place, 0o777);
    expect(await reachablePrograms(programs, user)).toBeUndefined();
  });

  it('stay where they are when they can be reached', async () => {
    await chmod(folder, 0o755);
    expect(await reachablePrograms(programs, await runAs('nobody'))).toBe(programs);
  });
});
