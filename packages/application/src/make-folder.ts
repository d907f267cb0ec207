import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

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
