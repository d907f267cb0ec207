import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeSecretFile } from '@jig/http';
import { DatabaseError, diskFull, errorMessage } from '../errors.ts';
import { type DataDirAccess, openDataDirAccess } from './data-dir-access.ts';
import { claimFolder, type FolderOwner } from './folder-owner.ts';
import { initialise } from './initialise.ts';
import { libraryEnvironment } from './package-programs.ts';
import { type PostgresqlPrograms, requirePrograms } from './programs.ts';
import { type RunAs, runAs } from './run-as.ts';
import { ServerLog } from './server-log.ts';

export interface FolderOptions {
  /** The folder for data, password and log. */
  readonly home: string;
  /** Default: those of the PostgreSQL that comes along. */
  readonly programs?: PostgresqlPrograms;
  /** The user that the server runs as when the application runs as root. */
  readonly user: string;
  /** The data is removed when the server stops, so speed counts more than durability. */
  readonly temporary: boolean;
  /** The whole folder is removed when the application dies. */
  readonly isDisposable?: boolean;
  /** Called with each line of the server's output. */
  readonly onLine?: ((line: string) => void) | undefined;
  /** The locale for string comparison in a new database, such as `en-US`; by code points otherwise. */
  readonly locale?: string | undefined;
  /** More arguments for `initdb`. */
  readonly initialiseArguments?: readonly string[];
  /** Fills an empty data folder with files that belong to the password in the password file. */
  readonly fill?: ((folder: string) => Promise<void>) | undefined;
}

/** The folder of a server, owned by this application, and what programs need to run in it. */
export interface ServerFolder {
  /** `PostgreSQL 18.4` */
  readonly title: string;
  readonly files: ReturnType<typeof filesIn>;
  readonly programs: PostgresqlPrograms;
  /** Environment variables for the programs. */
  readonly env: Readonly<Record<string, string>>;
  readonly access: DataDirAccess;
  readonly user: RunAs | undefined;
  readonly log: ServerLog;
  readonly password: string;
  readonly temporary: boolean;
  /** The folder that is removed when the application dies; empty for none. */
  readonly disposable: string;
  readonly owner: FolderOwner;
}

/** The files of a server, all below one folder. */
export function filesIn(home: string) {
  return {
    data: join(home, 'postgresql'),
    password: join(home, 'postgresql.password'),
    /** Who runs the server, and which process it is. */
    owner: join(home, 'server.json'),
    /** The address with the password, for tools. */
    url: join(home, 'url'),
    log: join(home, 'log', 'server.log'),
    libraries: join(home, 'lib'),
  };
}

/** Throws if another application owns the folder. */
export async function openFolder(options: FolderOptions): Promise<ServerFolder> {
  const { home, temporary, isDisposable = false } = options;
  const files = filesIn(home);
  const user = await runAs(options.user);
  await mkdir(dirname(files.log), { recursive: true, mode: 0o700 });
  // If the server runs as another user, that user may enter the folder, but not list it.
  const mode = user === undefined ? 0o700 : 0o711;
  if (((await stat(home)).mode & 0o777) !== mode) await chmod(home, mode);
  const owner = await claimFolder(files.owner);
  let access: DataDirAccess | undefined;
  try {
    const programs = options.programs ?? (await requirePrograms({}, user));
    access = await openDataDirAccess(home, user);
    const env = await libraryEnvironment(programs.native, files.libraries);
    const password = await readOrCreatePassword(files.password, !temporary && (await hasContent(files.data)));
    const log = new ServerLog(files.log, options.onLine);
    const title = `PostgreSQL ${programs.version}`;
    const disposable = isDisposable ? home : temporary ? files.data : '';
    return { title, files, programs, env, access, user, log, password, temporary, disposable, owner };
  } catch (error) {
    await access?.close();
    await owner.release();
    throw error;
  }
}

/** Removes temporary data and gives up the folder. */
export async function closeFolder({ files, temporary, owner, access, log }: ServerFolder): Promise<void> {
  await removeFolder(temporary ? files.data : files.url);
  await log.written();
  await access.close();
  await owner.release();
}

/** Creates a database if there is none; existing data is checked, never changed. */
export async function ensureData(
  folder: ServerFolder,
  options: FolderOptions,
  { stop, onInitialise }: { readonly stop: AbortSignal; readonly onInitialise: () => void },
): Promise<void> {
  const { files, programs, user, temporary } = folder;
  // Renamed when complete, so that an incomplete database is never used.
  const draft = `${files.data}.initialising`;
  for (const leftover of temporary ? [draft, files.data] : [draft]) await removeFolder(leftover);
  if (await hasContent(files.data)) return checkData(files.data, programs.version);
  try {
    await mkdir(draft, { mode: 0o700 });
    if (user !== undefined) await chown(draft, user.uid, user.gid);
    if (options.fill === undefined) {
      onInitialise();
      await initialise(draft, folder, options, stop);
    } else await options.fill(draft);
    stop.throwIfAborted();
    await rename(draft, files.data);
  } catch (error) {
    await removeFolder(draft);
    throw error;
  }
}

/** Whether the folder exists and is not empty. */
async function hasContent(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.length > 0;
}

/** Throws if the folder holds something other than a database of this major version. */
async function checkData(dataFolder: string, version: string): Promise<void> {
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
async function readOrCreatePassword(path: string, dataExists: boolean): Promise<string> {
  const stored = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // The error of reading a folder (EISDIR) has no path.
    if (error.code !== 'ENOENT') throw Object.assign(error, { path });
    return '';
  });
  if (stored.trim() !== '') return stored.trim();
  if (dataExists)
    throw new DatabaseError(
      'JIG_DATABASE_PASSWORD_WRONG',
      `There is a database, but its password is missing in ${path}. Restore that file from a backup; the data is untouched.`,
      { fields: { file: path } },
    );
  const generated = randomPassword();
  await writePassword(path, generated);
  return generated;
}

export const randomPassword = () => randomBytes(32).toString('base64url');

/** Atomic, since half a password would make the data inaccessible. */
export const writePassword = (path: string, content: string) => writeSecretFile(path, content, rename);

export const toPath = (place: string | URL) => (place instanceof URL ? fileURLToPath(place) : resolve(place));

export async function removeFolder(path: string, { maxRetries = 5 } = {}): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries, retryDelay: 50 });
}

/** Explains an error of the file system; returns any other unchanged. */
export function explainFolderError(home: string, error: unknown): unknown {
  const { code, path: file = 'a file in it', syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined || code === undefined) return error;
  const about = { cause: error, fields: { folder: home, file } };
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(`database folder ${home}`, about);
  const isFolder = code === 'EISDIR' || code === 'ERR_FS_EISDIR';
  const why = isFolder ? `${file} is a folder, but must be a file` : errorMessage(error);
  const fix = isFolder ? 'Move it away' : 'Give access to it, or choose another (JIG_HOME)';
  const sentence = `The database folder ${home} cannot be used: ${why}. ${fix}.`;
  return new DatabaseError('JIG_DATABASE_FOLDER_UNUSABLE', sentence, about);
}
