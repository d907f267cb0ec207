import { randomBytes } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { writeSecretFile } from '@jig/http';
import { DatabaseError } from './errors.ts';
import { ignoreMissing } from './supervisor/folders.ts';

/** Reads the password of the database, or generates one for a new database. Only the owner can read the file. */
export async function readOrCreatePassword(path: string, { dataExists }: { dataExists: boolean }): Promise<string> {
  // The error of reading a folder (EISDIR) has no path.
  const read = readFile(path, 'utf8').catch((error: Error) => ignoreMissing(Object.assign(error, { path })));
  const kept = (await read)?.trim();
  if (kept) return kept;
  if (dataExists)
    throw new DatabaseError(
      'JIG_DATABASE_PASSWORD_MISSING',
      `There is a database, but its password is missing in ${path}. Restore that file from a backup; the data is untouched.`,
      { fields: { file: path } },
    );
  const made = randomPassword();
  await writePassword(path, made);
  return made;
}

export const randomPassword = () => randomBytes(32).toString('base64url');

/** At once or not at all: half a password would lock us out of our own data. */
export const writePassword = (path: string, content: string) => writeSecretFile(path, content, rename);
