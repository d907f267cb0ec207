import { createHash, randomUUID } from 'node:crypto';
import { chmod, cp, lstat, mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunAs } from '../../supervisor/run-as.ts';
import { canRun } from '../program.ts';
import { type PostgresqlPrograms, programsIn } from './programs.ts';

/**
 * The programs where the user can run them. Under root the package may lie in a folder that only root may enter, such as its home;
 * then a copy among the temporary files is used, made once and kept. Undefined when not even that can be run.
 */
export async function reachablePrograms(
  programs: PostgresqlPrograms,
  user: RunAs | undefined,
): Promise<PostgresqlPrograms | undefined> {
  if (await canRun(programs.postgres, user)) return programs;
  if (user === undefined) return undefined;
  const digest = createHash('sha256').update(programs.native).digest('hex').slice(0, 16);
  const folder = join(tmpdir(), `jig-postgresql-${programs.version}-${digest}`);
  if (!(await isOurs(folder))) await copy(programs.native, folder);
  const copied = programsIn(join(folder, 'native'), programs.version);
  return (await isOurs(folder)) && (await canRun(copied.postgres, user)) ? copied : undefined;
}

/** Anybody can make folders there: one that somebody else made is never run from. */
async function isOurs(folder: string): Promise<boolean> {
  const there = await lstat(folder).catch(() => undefined);
  return there?.isDirectory() === true && there.uid === process.getuid?.() && (there.mode & 0o022) === 0;
}

/** Without what is only for building; put in place when it is whole. */
async function copy(native: string, folder: string): Promise<void> {
  const draft = `${folder}.${randomUUID()}`;
  try {
    await mkdir(draft, { mode: 0o755 });
    await chmod(draft, 0o755);
    await cp(native, join(draft, 'native'), { recursive: true, filter: (path) => !/\.a$|\/pkgconfig$/.test(path) });
    await rename(draft, folder);
  } catch {
    await rm(draft, { recursive: true, force: true });
  }
}
