import { randomBytes, randomUUID } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { databaseError } from './errors.ts';

/** The password of the database: made once, kept for the owner of the application only. */
export async function password(path: string, { dataExists }: { dataExists: boolean }): Promise<string> {
  const kept = (await readFile(path, 'utf8').catch(ignoreMissing))?.trim();
  if (kept) return kept;
  if (dataExists)
    throw databaseError(
      'JIG_DATABASE_PASSWORD_MISSING',
      `There is a database, but its password is missing in ${path}. Restore that file from a backup; the data is untouched.`,
      { fields: { file: path } },
    );
  const made = randomBytes(32).toString('base64url');
  await writeWhole(path, made);
  return made;
}

/** A half-written password would lock us out of our own data, so it is complete and on the disk before it is in its place. */
async function writeWhole(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
