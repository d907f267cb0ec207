import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { DatabaseError } from '../errors.ts';
import { identify, isAlive, type ProcessIdentity, processSpace } from './process-identity.ts';

/** The content of the file that names the owner of a folder. */
interface Owner {
  readonly host: string;
  readonly space: string;
  readonly application: ProcessIdentity;
}

const heartbeat = 2000;
/** An owner on another machine or in another container is considered dead when it has not touched its file for this long. */
const staleAfter = 3 * heartbeat;

/**
 * One application at a time runs the server of a folder. The owner file says which, so that the error of a second one can name it. If two
 * start at the same moment, the lock of PostgreSQL itself (`postmaster.pid`) decides.
 */
export interface FolderOwner {
  /** Whether the previous owner on this machine was killed; its server may still run. */
  readonly previousWasKilled: boolean;
  /** Can be called twice. */
  release(): Promise<void>;
}

/** Throws an error that names the owner if there is another one. */
export async function claimFolder(file: string): Promise<FolderOwner> {
  const before = await readOwner(file);
  if (before !== undefined && (await isHeld(file, before))) throw folderHeld(file, before);
  const application = (await identify(process.pid)) ?? { pid: process.pid, startTime: '' };
  const self = { host: hostname(), space: await processSpace(), application };
  // `wx` lets only one of two continue in a new folder, since both would generate a password.
  await writeOwner(file, self, before === undefined ? 'wx' : 'w').catch(async (error) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const other = await readOwner(file);
    if (other !== undefined) throw folderHeld(file, other);
    await writeOwner(file, self, 'w');
  });
  const touch = () => void utimes(file, new Date(), new Date()).catch(() => {});
  const timer = setInterval(touch, heartbeat).unref();
  return {
    previousWasKilled: before?.space === self.space,
    release: async () => {
      clearInterval(timer);
      const owner = await readOwner(file);
      if (owner?.application.pid === process.pid) await rm(file, { force: true }).catch(() => {});
    },
  };
}

const writeOwner = (file: string, owner: Owner, flag: 'w' | 'wx') =>
  writeFile(file, JSON.stringify(owner), { mode: 0o600, flag });

/** Undefined if there is no file, or it is malformed. */
async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    const owner = JSON.parse(await readFile(file, 'utf8')) as Partial<Owner>;
    return owner.application === undefined ? undefined : (owner as Owner);
  } catch {
    return undefined;
  }
}

async function isHeld(file: string, { space, application }: Owner): Promise<boolean> {
  if (space === (await processSpace())) return isAlive(application);
  const touched = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  return Date.now() - touched < staleAfter;
}

function folderHeld(file: string, { host, application }: Owner): Error {
  const folder = dirname(file);
  const elsewhere = host === hostname() ? '' : ` on ${host}`;
  return new DatabaseError(
    'JIG_DATABASE_FOLDER_HELD',
    `The database folder ${folder} is in use by the process ${application.pid}${elsewhere}. Stop that one first, or choose another folder (JIG_HOME).`,
    { fields: { folder, pid: application.pid, host } },
  );
}
