import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { hostError } from '../errors.ts';
import { makeFolder } from '../files.ts';

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
