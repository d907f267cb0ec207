import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { hostError } from '../errors.ts';

/** Creates the data folder if it is missing, checks that it is writable, and returns its absolute path. */
export async function prepareHome(workingDirectory: string, home: string): Promise<string> {
  const path = resolve(workingDirectory, home);
  try {
    await mkdir(path, { recursive: true, mode: 0o711 });
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
