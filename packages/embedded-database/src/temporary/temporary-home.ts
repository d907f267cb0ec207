import { createHash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseError, errorMessage } from '../errors.ts';
import { ownSocketFolders } from '../socket-folder.ts';
import { plainCommandLineOf } from '../supervisor/data-dir-access.ts';
import { DataLock, removeLockDrafts } from '../supervisor/data-lock.ts';
import { foldersIn, folderUnusable, removeFolder } from '../supervisor/folders.ts';
import { readRecord } from '../supervisor/preparation.ts';
import { hasEndedWithin, isAlive } from '../supervisor/process-identity.ts';
import type { RunAs } from '../supervisor/run-as.ts';
import { killProcessTree } from '../supervisor/server-process.ts';

const idPattern = /^[0-9a-f]{12}(?=\.lock$|$)/;

/** The folder for all temporary databases of this machine user. */
export async function temporaryRoot(user: RunAs | undefined): Promise<string> {
  const self = process.getuid?.() ?? 0;
  const root = join(tmpdir(), `jig-databases-${self}`);
  // Another user that runs the servers may pass through, but not look around.
  const mode = user === undefined ? 0o700 : 0o711;
  try {
    await mkdir(root, { mode }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    const there = await lstat(root);
    // Anybody can make folders in the temporary folder.
    if (!there.isDirectory() || there.uid !== self)
      throw new DatabaseError(
        'JIG_DATABASE_FOLDER_UNUSABLE',
        `The folder ${root} for temporary databases belongs to somebody else. Remove it, or set TMPDIR to another folder.`,
        { fields: { folder: root } },
      );
    if ((there.mode & 0o777) !== mode) await chmod(root, mode);
    await mkdir(join(root, 'templates'), { recursive: true, mode });
    return root;
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    throw folderUnusable(root, `cannot be made or written: ${errorMessage(error)}`, error);
  }
}

/** The folder of one temporary database. It is locked for as long as this process lives, and removed by whoever comes after that. */
export class TemporaryHome {
  readonly path: string;
  readonly #lock: DataLock;
  readonly #user: RunAs | undefined;

  private constructor(path: string, lock: DataLock, user: RunAs | undefined) {
    this.path = path;
    this.#lock = lock;
    this.#user = user;
  }

  /** With an id of the caller's, there is one at a time: it throws while another process has it. */
  static async create(
    root: string,
    user: RunAs | undefined,
    id = randomBytes(6).toString('hex'),
  ): Promise<TemporaryHome> {
    const path = join(root, id);
    let lock: DataLock | undefined;
    try {
      // The lock comes before the folder and goes after it, so that no folder is ever without one.
      lock = await DataLock.acquire(lockOf(path));
      await clear(path, user);
      await mkdir(path, { mode: user === undefined ? 0o700 : 0o711 });
      return new TemporaryHome(path, lock, user);
    } catch (error) {
      await lock?.release();
      if (error instanceof DatabaseError) throw error;
      throw folderUnusable(path, `cannot be made or written: ${errorMessage(error)}`, error);
    }
  }

  /** The id of the one home in which this is made. */
  static idFor(made: string): string {
    return createHash('sha256').update(made).digest('hex').slice(0, 12);
  }

  async remove(): Promise<void> {
    await removeFolder(this.path);
    await this.#lock.release();
  }

  /** For the end of the process, which waits for nothing. */
  removeSync(): void {
    for (const folder of [this.path, ...ownSocketFolders(this.path, this.#user)])
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    rmSync(lockOf(this.path), { force: true });
  }
}

const lockOf = (path: string) => `${path}.lock`;

/** Removes the folders of processes that were killed, and ends their servers; those of living processes are left alone. */
export async function removeLeftovers(root: string, user: RunAs | undefined): Promise<void> {
  const entries = await readdir(root);
  const ids = new Set(entries.map((entry) => idPattern.exec(entry)?.[0]).filter((id) => id !== undefined));
  await Promise.all([removeLockDrafts(root), ...[...ids].map((id) => removeIfAbandoned(join(root, id), user))]);
}

async function removeIfAbandoned(path: string, user: RunAs | undefined): Promise<void> {
  // Throws when its process lives, or when another start removes it right now.
  const lock = await DataLock.acquire(lockOf(path)).catch(() => undefined);
  if (lock === undefined) return;
  try {
    await clear(path, user);
  } finally {
    await lock.release();
  }
}

async function clear(path: string, user: RunAs | undefined): Promise<void> {
  await endServerIn(path);
  // A server that is ending may write for some more seconds.
  for (const folder of [path, ...ownSocketFolders(path, user)]) await removeFolder(folder, { maxRetries: 20 });
}

/** Ends the server that a killed process started in this folder: nobody needs its data. */
async function endServerIn(home: string): Promise<void> {
  const server = await readRecord(foldersIn(home).record);
  if (server === undefined || !(await isAlive(server))) return;
  if (!(await plainCommandLineOf(server.pid))?.includes(`${home}/`)) return;
  await killProcessTree(server);
  await hasEndedWithin(5000, server);
}
