import { lstat, mkdir, readFile, readlink, symlink, unlink } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';

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
