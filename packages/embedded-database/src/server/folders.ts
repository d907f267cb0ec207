import { randomUUID } from 'node:crypto';
import { fsync } from 'node:fs';
import { chmod, chown, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
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
  await mkdir(home, { recursive: true });
  if (((await stat(home)).mode & 0o777) !== mode) await chmod(home, mode);
  await mkdir(join(home, 'log'), { recursive: true, mode: 0o700 });
}

/** Whether the folder exists and is not empty. */
export async function hasContent(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.length > 0;
}

export async function removeFolder(path: string, { maxRetries = 5 } = {}): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries, retryDelay: 50 });
}

/** Explains an error of the file system; any other stays as it is. */
export function explainFolderError(home: string, error: unknown): unknown {
  const { code, path: file = 'a file in it', syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined || code === undefined) return error;
  const fields = { folder: home, file };
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new DatabaseError('JIG_DATABASE_DISK_FULL', diskFullSentence(`database folder ${home}`), {
      cause: error,
      fields,
    });
  const isFolder = code === 'EISDIR' || code === 'ERR_FS_EISDIR';
  const why = isFolder ? `${file} is a folder, but must be a file` : errorMessage(error);
  const fix = isFolder ? 'Move it away' : 'Give access to it, or choose another (JIG_HOME)';
  return new DatabaseError(
    'JIG_DATABASE_FOLDER_UNUSABLE',
    `The database folder ${home} cannot be used: ${why}. ${fix}.`,
    {
      cause: error,
      fields,
    },
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
