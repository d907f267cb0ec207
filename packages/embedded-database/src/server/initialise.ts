import { chown, rm, writeFile } from 'node:fs/promises';
import { runToEnd } from './launch.ts';
import type { FolderOptions, ServerFolder } from './server-folder.ts';

/** The name of the user and of the database that the application gets. */
export const ownName = 'jig';

/** The major versions that introduced the built-in locale, and arguments by prefix. */
const builtinLocale = 17;
const introduced = Object.entries({ '--set=': 16, '--no-data-checksums': 18 });

/** Initialises an empty data folder; the database is created later, by the running server. */
export async function initialise(
  draft: string,
  folder: ServerFolder,
  { locale, initialiseArguments: extraArguments = [] }: FolderOptions,
  stop: AbortSignal,
): Promise<void> {
  const { programs, user, password } = folder;
  const major = Number.parseInt(programs.version, 10);
  const isSupported = (argument: string) =>
    introduced.every(([prefix, version]) => !argument.startsWith(prefix) || major >= version);
  const passwordFile = `${draft}.password`;
  const login = [`--username=${ownName}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const language = ['--encoding=UTF8', ...localeArguments(major, locale)];
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (user !== undefined) await chown(passwordFile, user.uid, user.gid);
    const args = ['-D', draft, ...login, ...language, '--no-instructions', ...extraArguments.filter(isSupported)];
    await runToEnd(folder, programs.initdb, args, stop);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

function localeArguments(major: number, locale: string | undefined): readonly string[] {
  if (locale !== undefined) return ['--locale-provider=icu', `--icu-locale=${locale}`, '--locale=C'];
  if (major >= builtinLocale) return ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  return [`--locale=${process.platform === 'linux' ? 'C.UTF-8' : 'C'}`];
}
