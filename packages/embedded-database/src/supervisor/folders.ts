import { randomUUID } from 'node:crypto';
import { fsync } from 'node:fs';
import { chmod, chown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DatabaseError, diskFullSentence, errorMessage } from '../errors.ts';
import type { RunAs } from './run-as.ts';

/** The files of a supervisor, all below one folder. */
export interface SupervisorFolders {
  readonly home: string;
  readonly lock: string;
  /** Which server process we started last. */
  readonly record: string;
  readonly logFile: string;
}

export const toPath = (place: string | URL) => (place instanceof URL ? fileURLToPath(place) : resolve(place));

export function foldersIn(home: string): SupervisorFolders {
  return {
    home,
    lock: join(home, 'lock'),
    record: join(home, 'server.json'),
    logFile: join(home, 'log', 'server.log'),
  };
}

/**
 * Makes a folder and the missing ones above it. Node's recursive `mkdir` never ends below `/proc`, where `mkdir`
 * says ENOENT although the parent exists.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  await mkdir(path, { recursive: !isBelowProc(path), mode });
}

function isBelowProc(path: string): boolean {
  return `${resolve(path)}/`.startsWith('/proc/');
}

/** Makes the folders. Another user that runs the server may enter the home, but not list it. */
export async function prepareFolders({ home }: SupervisorFolders, user: RunAs | undefined): Promise<void> {
  const mode = user === undefined ? 0o700 : 0o711;
  try {
    await makeFolder(home);
    if (((await stat(home)).mode & 0o777) !== mode) await chmod(home, mode);
    await makeFolder(join(home, 'log'), 0o700);
  } catch (error) {
    throw folderUnusable(home, `cannot be made or written: ${errorMessage(error)}`, error);
  }
}

/** A folder that the server alone may use. */
export async function makePrivateFolder(path: string, user: RunAs | undefined): Promise<void> {
  await mkdir(path, { mode: 0o700 });
  if (user !== undefined) await chown(path, user.uid, user.gid);
}

/** A server refuses data of another user, or would write files that the next one cannot read. */
export async function checkOwner(folder: string, user: RunAs | undefined): Promise<void> {
  const { uid } = await stat(folder);
  const runner = user?.uid ?? process.getuid?.() ?? uid;
  if (uid === runner) return;
  const who = user === undefined ? 'this one' : `the user ${user.name} of database.user`;
  throw new DatabaseError(
    'JIG_DATABASE_OWNER_DIFFERS',
    `The data in ${folder} belongs to the user with the number ${uid}, but the server would run as ${who} (${runner}). Run as that user, name it in database.user, or change the owner; the data is untouched.`,
    { fields: { folder, owner: uid, runner } },
  );
}

/** Whether the folder exists and is not empty. */
export async function hasContent(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw folderUnusable(folder, `cannot be read: ${errorMessage(error)}`, error);
  }
}

export async function removeFolder(path: string, { maxRetries = 5 } = {}): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries, retryDelay: 50 });
}

/** Explains a file system error; undefined for any other error. */
export function toFolderError(home: string, error: unknown): Error | undefined {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined || code === undefined) return undefined;
  const file = path ?? 'a file in it';
  if (code === 'EISDIR' || code === 'ERR_FS_EISDIR') return notAFile(home, file, error);
  return folderUnusable(home, `cannot be used: ${errorMessage(error)}`, error);
}

function notAFile(home: string, file: string, cause?: unknown): Error {
  return new DatabaseError(
    'JIG_DATABASE_FOLDER_UNUSABLE',
    `The database folder ${home} cannot be used: ${file} is a folder, but must be a file. Move it away and start again; the data is untouched.`,
    { cause, fields: { folder: home, file } },
  );
}

export function folderUnusable(folder: string, why: string, cause?: unknown): Error {
  if (isDiskFull(cause))
    return new DatabaseError('JIG_DATABASE_DISK_FULL', diskFullSentence(`database folder ${folder}`), {
      cause,
      fields: { folder },
    });
  return new DatabaseError(
    'JIG_DATABASE_FOLDER_UNUSABLE',
    `The database folder ${folder} ${why}. Give access to it, or choose another with JIG_HOME.`,
    { cause, fields: { folder } },
  );
}

function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}

const mark = '.initialising-';

/** Fills a new folder beside the target and renames it when it is complete, so that an incomplete database is never used. */
export async function initialiseFolder(
  target: string,
  user: RunAs | undefined,
  fill: (draft: string) => Promise<void>,
  { flush = true } = {},
): Promise<void> {
  const draft = `${target}${mark}${randomUUID()}`;
  try {
    await makePrivateFolder(draft, user);
    await fill(draft);
    // Replaces nothing but an empty folder: rename(2) refuses any other.
    await rename(draft, target);
    if (flush) await flushFolder(dirname(target));
  } catch (error) {
    await removeFolder(draft);
    throw error;
  }
}

/** Removes the drafts of initialisations that were killed, by their names. */
export async function removeDrafts(target: string): Promise<void> {
  const entries = await readdir(dirname(target));
  const drafts = entries.filter((entry) => entry.startsWith(`${basename(target)}${mark}`));
  await Promise.all(drafts.map((draft) => removeFolder(join(dirname(target), draft))));
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    // Under Yarn Plug'n'Play, file handles have no sync().
    await promisify(fsync)(handle.fd);
  } finally {
    await handle.close();
  }
}

/** Undefined when the file is missing, or holds something else. */
export async function readJson<Content>(path: string): Promise<Content | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Content;
  } catch {
    return undefined;
  }
}

/** For `catch`: a file that does not exist is no error. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
