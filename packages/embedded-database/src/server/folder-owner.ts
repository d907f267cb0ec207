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
 * One application at a time runs the server of a folder. This says which, so that a second one can name it. Of two that start at the same
 * moment PostgreSQL takes one: `postmaster.pid` is its own lock.
 */
export interface FolderOwner {
  /** Whether an application on this machine had the folder before and was killed; its server may run still. */
  readonly followsKilled: boolean;
  /** Can be called twice. */
  release(): Promise<void>;
}

/** Throws an error that names another holder. */
export async function ownFolder(file: string): Promise<FolderOwner> {
  const before = await readOwner(file);
  if (before !== undefined && (await isHeld(file, before))) throw heldBy(file, before);
  const application = (await identify(process.pid)) ?? { pid: process.pid, startTime: '' };
  const self = { host: hostname(), space: await processSpace(), application };
  // In a new folder only one of two gets further, since both would choose a password.
  await writeOwner(file, self, before === undefined ? 'wx' : 'w').catch(async (error) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const other = await readOwner(file);
    if (other !== undefined) throw heldBy(file, other);
    await writeOwner(file, self, 'w');
  });
  const touch = () => void utimes(file, new Date(), new Date()).catch(() => {});
  const timer = setInterval(touch, heartbeat).unref();
  return {
    followsKilled: before?.space === self.space,
    release: async () => {
      clearInterval(timer);
      const owner = await readOwner(file);
      if (owner?.application.pid === process.pid) await rm(file, { force: true }).catch(() => {});
    },
  };
}

const writeOwner = (file: string, owner: Owner, flag: 'w' | 'wx') =>
  writeFile(file, JSON.stringify(owner), { mode: 0o600, flag });

/** Undefined when there is none, or the file holds something else. */
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

function heldBy(file: string, { host, application }: Owner): Error {
  const folder = dirname(file);
  const elsewhere = host === hostname() ? '' : ` on ${host}`;
  return new DatabaseError(
    'JIG_DATABASE_FOLDER_HELD',
    `The database folder ${folder} is in use by the process ${application.pid}${elsewhere}. Stop that one first, or choose another folder (JIG_HOME).`,
    { fields: { folder, pid: application.pid, host } },
  );
}
