import { randomUUID } from 'node:crypto';
import { fsync } from 'node:fs';
import { chmod, chown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DatabaseError, diskFullSentence, errorMessage } from '../errors.ts';
import type { RunAs } from './run-as.ts';

export const toPath = (place: string | URL) => (place instanceof URL ? fileURLToPath(place) : resolve(place));

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

/** Makes the folders. Another user that runs the server may enter the home, but not list it. */
export async function prepareFolders(home: string, user: RunAs | undefined): Promise<void> {
  const mode = user === undefined ? 0o700 : 0o711;
  try {
    await mkdir(home, { recursive: true });
    if (((await stat(home)).mode & 0o777) !== mode) await chmod(home, mode);
    await mkdir(join(home, 'log'), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw folderUnusable(home, `cannot be made or written: ${errorMessage(error)}`, error);
  }
}

/** A server refuses data of another user, or would write files that the next one cannot read. */
export async function checkOwner(folder: string, user: RunAs | undefined): Promise<void> {
  const { uid } = await stat(folder);
  const runner = user?.uid ?? process.getuid?.() ?? uid;
  if (uid === runner) return;
  const who = user === undefined ? 'this one' : `the user ${user.name}`;
  throw new DatabaseError(
    'JIG_DATABASE_OWNER_DIFFERS',
    `The data in ${folder} belongs to the user with the number ${uid}, but the server would run as ${who} (${runner}). Run as that user, name it (database.user, runAs), or change the owner; the data is untouched.`,
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

/** Explains an error of the file system; any other stays as it is. */
export function explainFolderError(home: string, error: unknown): unknown {
  const { code, path: file = 'a file in it', syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined || code === undefined) return error;
  if (code !== 'EISDIR' && code !== 'ERR_FS_EISDIR')
    return folderUnusable(home, `cannot be used: ${errorMessage(error)}`, error);
  return new DatabaseError(
    'JIG_DATABASE_FOLDER_UNUSABLE',
    `The database folder ${home} cannot be used: ${file} is a folder, but must be a file. Move it away and start again; the data is untouched.`,
    { cause: error, fields: { folder: home, file } },
  );
}

export function folderUnusable(folder: string, why: string, cause?: unknown): Error {
  const { code = '' } = (cause ?? {}) as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return new DatabaseError(
    isFull ? 'JIG_DATABASE_DISK_FULL' : 'JIG_DATABASE_FOLDER_UNUSABLE',
    isFull
      ? diskFullSentence(`database folder ${folder}`)
      : `The database folder ${folder} ${why}. Give access to it, or choose another (JIG_HOME).`,
    { cause, fields: { folder } },
  );
}

const mark = '.initialising-';

/** Fills a new folder beside the target and renames it when it is complete, so that an incomplete database is never used. */
export async function fillFolder(
  target: string,
  user: RunAs | undefined,
  fill: (draft: string) => Promise<void>,
  { flush }: { readonly flush: boolean },
): Promise<void> {
  const draft = `${target}${mark}${randomUUID()}`;
  try {
    await mkdir(draft, { mode: 0o700 });
    if (user !== undefined) await chown(draft, user.uid, user.gid);
    await fill(draft);
    // Replaces nothing but an empty folder: rename(2) refuses any other.
    await rename(draft, target);
    if (flush) await flushFolder(dirname(target));
  } catch (error) {
    await removeFolder(draft);
    throw error;
  }
}

/** Removes the drafts that were killed, by their names. */
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
