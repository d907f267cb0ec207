import { rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { DatabaseError } from '../errors.ts';
import { readJson } from './folders.ts';
import { identify, isAlive, type ProcessIdentity, processSpace } from './process-identity.ts';

/** What the file says of who runs the server of a folder. */
interface Owner {
  readonly host: string;
  readonly space: string;
  readonly application: ProcessIdentity;
  readonly server?: ProcessIdentity | undefined;
}

const heartbeat = 2000;
/** An owner on another machine or in another container is considered dead when it has not touched its file for this long. */
const staleAfter = 3 * heartbeat;

/**
 * One application at a time runs the server of a folder. This says which, so that a second one can name it, and finds a server that has
 * outlived its application. Of two that start at the same moment PostgreSQL takes one: `postmaster.pid` is its own lock.
 */
export class FolderOwner {
  readonly #file: string;
  readonly #owner: Owner;
  readonly #timer: NodeJS.Timeout;

  private constructor(file: string, owner: Owner) {
    this.#file = file;
    this.#owner = owner;
    const touch = () => void utimes(file, new Date(), new Date()).catch(() => {});
    this.#timer = setInterval(touch, heartbeat).unref();
  }

  /** Throws an error that names the holder; else also gives the server of an earlier one that still runs. */
  static async take(file: string): Promise<{ readonly owner: FolderOwner; readonly orphan?: ProcessIdentity }> {
    const before = await readOwner(file);
    if (before !== undefined && (await isHeld(file, before))) throw heldBy(file, before);
    const application = (await identify(process.pid)) ?? { pid: process.pid, startTime: '' };
    const { server } = before ?? {};
    const self = { host: hostname(), space: await processSpace(), application };
    // In a new folder only one of two gets further, since both would choose a password.
    await writeOwner(file, { ...self, server }, before === undefined ? 'wx' : 'w').catch(async (error) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const other = await readOwner(file);
      if (other !== undefined) throw heldBy(file, other);
      await writeOwner(file, self, 'w');
    });
    const owner = new FolderOwner(file, self);
    return server !== undefined && before?.space === self.space && (await isAlive(server))
      ? { owner, orphan: server }
      : { owner };
  }

  /** The server that runs from now on. */
  note(server: ProcessIdentity): Promise<void> {
    return writeOwner(this.#file, { ...this.#owner, server }, 'w');
  }

  /** Can be called twice. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    const { application } = (await readOwner(this.#file)) ?? {};
    if (application?.pid === process.pid) await rm(this.#file, { force: true }).catch(() => {});
  }
}

const writeOwner = (file: string, owner: Owner, flag: 'w' | 'wx') =>
  writeFile(file, JSON.stringify(owner), { mode: 0o600, flag });

async function readOwner(file: string): Promise<Owner | undefined> {
  const owner = await readJson<Owner>(file);
  return owner?.application === undefined ? undefined : owner;
}

/** The server that a killed application has left in its folder. */
export async function serverLeftIn(file: string): Promise<ProcessIdentity | undefined> {
  const { server } = (await readOwner(file)) ?? {};
  return server !== undefined && (await isAlive(server)) ? server : undefined;
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
