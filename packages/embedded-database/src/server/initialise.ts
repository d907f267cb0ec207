import { randomBytes } from 'node:crypto';
import { chown, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeSecretFile } from '@jig/http';
import { DatabaseError } from '../errors.ts';
import { runToEnd } from './launch.ts';
import type { NewData, ServerFolder } from './server-folder.ts';

/** The name of the user and of the database that the application gets. */
export const ownName = 'jig';

/** The major version that introduced the built-in locale, and those of arguments, by what they begin with. */
const builtinLocale = 17;
const introduced: readonly (readonly [argument: string, version: number])[] = [
  ['--set=', 16],
  ['--no-data-checksums', 18],
];

/** Makes new data in an empty folder; its database is made when the server runs. */
export async function initialise(
  draft: string,
  folder: ServerFolder,
  { locale, initialiseArguments: more = [] }: NewData,
  stop: AbortSignal,
): Promise<void> {
  const { programs, env, user, password } = folder;
  const major = Number.parseInt(programs.version, 10);
  const passwordFile = `${draft}.password`;
  const isNewer = (argument: string) =>
    introduced.some(([prefix, version]) => argument.startsWith(prefix) && major < version);
  const added = more.filter((argument) => !isNewer(argument));
  const access = [`--username=${ownName}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const language = ['--encoding=UTF8', ...localeArguments(major, locale)];
  try {
    await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' });
    if (user !== undefined) await chown(passwordFile, user.uid, user.gid);
    const args = ['-D', draft, ...access, ...language, '--no-instructions', ...added];
    await runToEnd(folder, { file: programs.initdb, args, env }, stop);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

function localeArguments(major: number, locale: string | undefined): readonly string[] {
  if (locale !== undefined) return ['--locale-provider=icu', `--icu-locale=${locale}`, '--locale=C'];
  if (major >= builtinLocale) return ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  return [`--locale=${process.platform === 'linux' ? 'C.UTF-8' : 'C'}`];
}

/** Throws when the folder holds something that this version cannot run on. */
export async function checkData(dataFolder: string, version: string): Promise<void> {
  const read = await readFile(join(dataFolder, 'PG_VERSION'), 'utf8').catch(() => undefined);
  const written = read?.trim();
  if (written === undefined)
    throw new DatabaseError(
      'JIG_DATABASE_FOLDER_UNUSABLE',
      `The folder ${dataFolder} holds something that is no PostgreSQL database. It is untouched; move it away or choose another folder (JIG_HOME).`,
      { fields: { folder: dataFolder } },
    );
  if (written.split('.')[0] === version.split('.')[0]) return;
  throw new DatabaseError(
    'JIG_DATABASE_VERSION_DIFFERS',
    `The data in ${dataFolder} was written by PostgreSQL ${written}, but this is PostgreSQL ${version}. The data is untouched; dump it with the old version and load it into the new one.`,
    { fields: { folder: dataFolder, written, version } },
  );
}

/** Reads the password of the database, or generates one for a new database. Only the owner can read the file. */
export async function readOrCreatePassword(path: string, { dataExists }: { dataExists: boolean }): Promise<string> {
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // The error of reading a folder (EISDIR) has no path.
    if (error.code !== 'ENOENT') throw Object.assign(error, { path });
    return '';
  });
  if (kept.trim() !== '') return kept.trim();
  if (dataExists)
    throw new DatabaseError(
      'JIG_DATABASE_PASSWORD_WRONG',
      `There is a database, but its password is missing in ${path}. Restore that file from a backup; the data is untouched.`,
      { fields: { file: path } },
    );
  const made = randomPassword();
  await writePassword(path, made);
  return made;
}

export const randomPassword = () => randomBytes(32).toString('base64url');

/** Atomically, since half a password would lock us out of the data. */
export const writePassword = (path: string, content: string) => writeSecretFile(path, content, rename);
