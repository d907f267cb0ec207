import { createHash } from 'node:crypto';
import { constants, lstatSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseError } from './errors.ts';
import { makeFolder } from './supervisor/folders.ts';
import type { RunAs } from './supervisor/run-as.ts';

/** unix(7): 108 bytes with the final NUL; the systems of the BSD family have 104. */
const longestPath = process.platform === 'linux' ? 107 : 103;
/** The longest name that a server gives to its socket. */
const longestName = '/.s.PGSQL.65535';

export interface SocketFolder {
  readonly path: string;
  /** It is below the system's temporary folder, and is removed when the server stops. */
  readonly isTemporary: boolean;
}

/**
 * The folder for the server's socket: the configured one, else `run` in the database folder. Where that path is too long, a private
 * temporary folder is used. Its name depends only on the database folder, so that none are left over.
 */
export async function socketFolder(
  asked: string | undefined,
  home: string,
  user: RunAs | undefined,
): Promise<SocketFolder> {
  const wanted = asked ?? join(home, 'run');
  if (fits(wanted)) return { path: await makeSafe(wanted, user), isTemporary: false };
  const short = fallbackSocketFolders(home).find(fits);
  if (asked === undefined && short !== undefined) return { path: await makeSafe(short, user), isTemporary: true };
  throw new DatabaseError(
    'JIG_DATABASE_SOCKET_PATH_TOO_LONG',
    `The path of the database socket in ${wanted} is longer than the ${longestPath} bytes that the system allows. Name a shorter folder in database.socketFolder.`,
    { fields: { folder: wanted, longestPath } },
  );
}

/** Where the socket goes when the path of the database folder is too long; `TMPDIR` may be long, or closed to others. */
function fallbackSocketFolders(home: string): readonly string[] {
  const digest = createHash('sha256').update(home).digest('hex').slice(0, 16);
  return [...new Set(['/tmp', tmpdir()])].map((folder) => join(folder, `jig-${digest}`));
}

/** Those of them that are ours to remove: anybody can make folders there, and guess the name. */
export function ownSocketFolders(home: string, user: RunAs | undefined): readonly string[] {
  const owners = [process.getuid?.(), user?.uid];
  return fallbackSocketFolders(home).filter((folder) => {
    const there = lstatSync(folder, { throwIfNoEntry: false });
    return there?.isDirectory() === true && owners.includes(there.uid);
  });
}

function fits(folder: string): boolean {
  return Buffer.byteLength(folder + longestName) <= longestPath;
}

/**
 * Anybody can make folders in the temporary folder, and replace them between a check and their use. So
 * the folder is opened without following links, and checked and changed through the open handle.
 */
async function makeSafe(folder: string, user: RunAs | undefined): Promise<string> {
  await makeFolder(dirname(folder), 0o711);
  const isNew = await makeUnlessThere(folder);
  const opened = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(
    (error) => {
      throw unsafe(folder, error);
    },
  );
  try {
    const self = process.getuid?.();
    const { uid, mode } = await opened.stat();
    if (uid !== (isNew ? self : (user?.uid ?? self))) throw unsafe(folder);
    if (isNew && user !== undefined) await opened.chown(user.uid, user.gid);
    if ((mode & 0o777) !== 0o700) await opened.chmod(0o700);
  } finally {
    await opened.close();
  }
  return folder;
}

async function makeUnlessThere(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, 0o700);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function unsafe(folder: string, cause?: unknown): Error {
  return new DatabaseError(
    'JIG_DATABASE_SOCKET_FOLDER_UNSAFE',
    `The folder ${folder} for the database socket does not belong to the user that runs the database. Remove it, or name another in database.socketFolder.`,
    { cause, fields: { folder } },
  );
}
