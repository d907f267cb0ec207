import { createHash, randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseError } from '../errors.ts';
import { identify, processSpace, serverIn } from '../server/process-identity.ts';
import type { RunAs } from '../server/run-as.ts';
import { filesIn, removeFolder } from '../server/server-folder.ts';
import { endOrphan } from '../server/server-process.ts';

/** The name of a folder: the scope of the pid, the pid, a hash of the start time, and random digits. */
const namePattern = /^([0-9a-f]{8})-(\d+)-([0-9a-f]{8})-[0-9a-f]{8}$/;
/** In milliseconds; after this time, leftovers of other machines or containers are removed, whose processes cannot be seen. */
const maximumAge = 24 * 60 * 60 * 1000;

/** The folder for all temporary databases of this machine user. */
export async function temporaryRoot(user: RunAs | undefined): Promise<string> {
  const self = process.getuid?.() ?? 0;
  const root = join(tmpdir(), `jig-databases-${self}`);
  // Other users may enter, but not list it.
  const mode = user === undefined ? 0o700 : 0o711;
  await mkdir(join(root, 'templates'), { recursive: true, mode });
  const stats = await lstat(root);
  // Any user can create folders in the temporary folder.
  if (!stats.isDirectory() || stats.uid !== self)
    throw new DatabaseError(
      'JIG_DATABASE_FOLDER_UNUSABLE',
      `The folder ${root} for temporary databases belongs to somebody else. Remove it, or set TMPDIR to another folder.`,
      { fields: { folder: root } },
    );
  if ((stats.mode & 0o777) !== mode) await chmod(root, mode);
  return root;
}

/** Makes the folder of one temporary database. Its name identifies this process; after the end of that, any later start removes it. */
export async function makeTemporaryHome(root: string, user: RunAs | undefined): Promise<string> {
  const name = [await processSpace(), await ownerName(process.pid), randomBytes(4).toString('hex')].join('-');
  const path = join(root, name);
  await mkdir(path, { mode: user === undefined ? 0o700 : 0o711 });
  return path;
}

/** Removes the folders of killed processes and ends their servers. */
export async function removeLeftovers(root: string): Promise<void> {
  const space = await processSpace();
  const remove = async (name: string) => {
    const [, where, pid, started] = namePattern.exec(name) ?? [];
    if (where === undefined) return;
    const path = join(root, name);
    if (where === space) {
      if ((await ownerName(Number(pid))) === `${pid}-${started}`) return;
    } else if (Date.now() - (await stat(path)).mtimeMs < maximumAge) return;
    const server = await serverIn(filesIn(path).data);
    // Its data is not needed.
    if (server !== undefined) await endOrphan(server, []);
    // A server that is ending may write for some more seconds.
    await removeFolder(path, { maxRetries: 20 });
  };
  await Promise.all((await readdir(root)).map(remove));
}

/** Pids are reused, but not with the same start time. */
async function ownerName(pid: number): Promise<string> {
  const started = (await identify(pid))?.startTime ?? '';
  return `${pid}-${createHash('sha256').update(started).digest('hex').slice(0, 8)}`;
}
