import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type link, mkdir, type rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorMessage, hostError } from './errors.ts';

const known: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user has no access to it',
};

/** What an error of the file system says, for use inside a sentence: without the path, which these errors repeat. */
export function fileProblem(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  return known[code] ?? errorMessage(error).replace(/,.*/s, '');
}

/**
 * Writes a file for its owner alone, whole or not at all: aside and down to the disk, and only then into its place, by `rename`, which
 * replaces a file that is there, or by `link`, which fails then.
 */
export async function writeSecretFile(
  path: string,
  content: string,
  place: typeof link | typeof rename,
): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, content, { flag: 'wx', mode: 0o600, flush: true });
    await place(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Makes a folder and those above it that are missing, all with this mode; one that is there stays as it is. Ends with the first error,
 * where Node's own `recursive` never ends: below `/proc`, a folder is said to be missing although the one above it is there.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  try {
    await makeLast(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path), mode);
    await makeLast(path, mode);
  }
}

/** Makes the last folder of the path alone; another process may have been first. */
async function makeLast(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) throw error;
  }
}

/** Makes sure that the data folder is there and can be written to; gives its whole path. */
export async function prepareHome(workingDirectory: string, home: string): Promise<string> {
  const path = resolve(workingDirectory, home);
  try {
    await makeFolder(path, 0o711);
    await access(path, constants.W_OK | constants.X_OK);
    return path;
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw hostError(
      'JIG_HOME_UNWRITABLE',
      `The data folder ${path} cannot be written to (${code}); give this user access, or choose another with JIG_HOME.`,
      {
        cause: error,
        fields: { path },
      },
    );
  }
}
