import { createHash } from 'node:crypto';
import { chmod, lstat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseError } from './errors.ts';
import { makePrivateFolder } from './supervisor/folders.ts';
import type { RunAs } from './supervisor/run-as.ts';

/** unix(7): 108 bytes with the final NUL; the systems of the BSD family have 104. */
const longestPath = process.platform === 'linux' ? 107 : 103;
/** The longest name that a server gives to its socket. */
const longestName = '/.s.PGSQL.65535';

export interface SocketFolder {
  readonly path: string;
  /** It lies among the temporary files, and goes when the server stops. */
  readonly isTemporary: boolean;
}

/**
 * The folder for the server's socket: the one asked for, else `run` in the database folder. Where that path is too long, a private
 * folder among the temporary files does, always the same for the same database folder, so that none are left over.
 */
export async function socketFolder(
  asked: string | undefined,
  home: string,
  user: RunAs | undefined,
): Promise<SocketFolder> {
  const wanted = asked ?? join(home, 'run');
  if (fits(wanted)) return { path: await makeSafe(wanted, user), isTemporary: false };
  const digest = createHash('sha256').update(home).digest('hex').slice(0, 16);
  const short = join(tmpdir(), `jig-${digest}`);
  if (asked === undefined && fits(short)) return { path: await makeSafe(short, user), isTemporary: true };
  throw databaseError(
    'JIG_DATABASE_SOCKET_PATH_TOO_LONG',
    `The path of the database socket in ${wanted} is longer than the ${longestPath} bytes that the system allows. Name a shorter folder in database.socketFolder.`,
    { fields: { folder: wanted, longestPath } },
  );
}

function fits(folder: string): boolean {
  return Buffer.byteLength(folder + longestName) <= longestPath;
}

/** In a place where anybody can make folders, one that is there already may be a trap. */
async function makeSafe(folder: string, user: RunAs | undefined): Promise<string> {
  const owner = user?.uid ?? process.getuid?.();
  const there = await lstat(folder).catch(() => undefined);
  if (there === undefined) await makePrivateFolder(folder, user);
  else if (!there.isDirectory() || there.uid !== owner)
    throw databaseError(
      'JIG_DATABASE_SOCKET_FOLDER_UNSAFE',
      `The folder ${folder} for the database socket does not belong to the user that runs the database. Remove it, or name another in database.socketFolder.`,
      { fields: { folder } },
    );
  else await chmod(folder, 0o700);
  return folder;
}
