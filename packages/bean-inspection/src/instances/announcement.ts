import {
  chmodSync,
  lstatSync,
  mkdirSync,
  promises,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { applicationOf, type Identity, identity, startOfProcess } from './identity.ts';

/** The file that describes an instance to other processes of its user. The socket beside it speaks the HTTP of the mount. */
export interface Announcement extends Identity {
  readonly version: 1;
  readonly pid: number;
  readonly parentPid: number;
  /** 0 for the main thread. */
  readonly thread: number;
  /** A process may have several mounts; those with the same number belong together. */
  readonly mount: number;
  /** Instances of one application have the same name, folder, script and access rules. */
  readonly application: string;
  readonly folder: string;
  readonly script: string;
  /** A digest of the access rules. */
  readonly rules: string;
  readonly node: string;
  /** As in ISO 8601. */
  readonly startedAt: string;
  /** All addresses begin with it. */
  readonly prefix: string;
  readonly socket: string;
  /** Those known so far, such as `http://127.0.0.1:3000`. */
  readonly addresses: readonly string[];
  /** Whether `jig attach` or `jig run` serves it. */
  readonly attached?: boolean;
}

export interface AnnounceOptions extends Partial<Identity> {
  readonly application?: string | undefined;
  readonly prefix: string;
  readonly rules?: string;
  readonly attached?: boolean;
  /** Answers requests over the socket, which only this user can open. */
  readonly handler: RequestListener;
}

/** An announcement of this process. */
export interface Announced {
  readonly announcement: Announcement;
  /** Adds what becomes known later. */
  readonly update: (changes: Partial<Pick<Announcement, 'addresses' | 'prefix'>>) => void;
  /** Removes it. */
  readonly close: () => void;
}

/** A reload in development may mount again and again. */
const maxMounts = 20;

/** The announcements of this thread, by their keys; they are taken back when it ends. */
const open = new Map<string, Announced>();
const closeAll = () => {
  for (const each of open.values()) each.close();
};

/** Announces this process to others of the same user; throws an error that says why that is not possible. Keeps no process alive. */
export function announce({ handler, application, prefix, rules = '', attached, ...who }: AnnounceOptions): Announced {
  const start = startOfProcess;
  const keys = [process.pid, threadId, start].map((each) => each.toString(36));
  const keyOf = (mount: number) => [...keys, `${attached === true ? 'a' : ''}${mount.toString(36)}`].join('-');
  const folder = instancesFolder(`${keyOf(maxMounts)}.sock`);
  const mount = reserve((each) => join(folder, `${keyOf(each)}.json`));
  const key = keyOf(mount);
  const file = join(folder, `${key}.json`);
  let announcement: Announcement = {
    version: 1,
    ...identity(who.id),
    ...(who.label === undefined ? {} : { label: who.label }),
    pid: process.pid,
    parentPid: process.ppid,
    thread: threadId,
    mount,
    ...applicationOf(application),
    script: process.argv[1] ?? '',
    rules,
    node: process.version,
    startedAt: new Date(start).toISOString(),
    prefix,
    socket: join(folder, `${key}.sock`),
    addresses: [],
    ...(attached === true ? { attached } : {}),
  };
  const server = process.getBuiltinModule('node:http').createServer(handler);
  // Neither a client that stays connected nor the socket itself keeps the process alive.
  server.on('connection', (socket) => socket.unref());
  const close = () => {
    open.delete(key);
    if (open.size === 0) process.off('exit', closeAll);
    server.close().closeAllConnections();
    remove(file);
    remove(announcement.socket);
  };
  server.on('error', close);
  // In a cluster, the primary would listen in place of the worker.
  server.listen({ path: announcement.socket, exclusive: true }).unref();
  try {
    chmodSync(announcement.socket, 0o600);
    writeFileSync(file, JSON.stringify(announcement));
  } catch (error) {
    close();
    throw error;
  }
  if (open.size === 0) process.on('exit', closeAll);
  const announced: Announced = {
    get announcement() {
      return announcement;
    },
    update(changes) {
      announcement = { ...announcement, ...changes };
      const next = join(folder, `${key}.new`);
      try {
        writeFileSync(next, JSON.stringify(announcement), { mode: 0o600 });
        renameSync(next, file);
      } catch {
        // The previous announcement is still valid.
        remove(next);
      }
    },
    close,
  };
  open.set(key, announced);
  removeStale(folder);
  return announced;
}

/** Reserves a number by creating its file, since a process may have several copies of this package. */
function reserve(fileOf: (mount: number) => string): number {
  for (let mount = 1; mount <= maxMounts; mount++) {
    try {
      writeFileSync(fileOf(mount), '', { mode: 0o600, flag: 'wx' });
      return mount;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  throw new Error(`this process has ${maxMounts} mounts already`);
}

/** All instances of this user that can be reached. Those of processes that have ended are removed. */
export async function announcements(): Promise<readonly Announcement[]> {
  const found = instancesFolders().flatMap((folder) =>
    filesIn(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => ({ folder, key: name.slice(0, -'.json'.length) })),
  );
  const read = await Promise.all(found.map(readAnnouncement));
  return read.filter((each) => each !== undefined).sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
}

const filesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

interface Entry {
  readonly folder: string;
  readonly key: string;
}

async function readAnnouncement(entry: Entry): Promise<Announcement | undefined> {
  const own = open.get(entry.key);
  if (own !== undefined) return own.announcement;
  const path = join(entry.folder, entry.key);
  if (!(await answers(entry))) return undefined;
  try {
    const announcement = JSON.parse(await promises.readFile(`${path}.json`, 'utf8')) as Announcement;
    return isAnnouncement(announcement) ? { ...announcement, socket: `${path}.sock` } : undefined;
  } catch {
    // It is being written, or was just removed.
    return undefined;
  }
}

function isAnnouncement(read: unknown): read is Announcement {
  if (typeof read !== 'object' || read === null) return false;
  const { id, label, application, folder, prefix, startedAt, addresses } = read as Readonly<Record<string, unknown>>;
  const texts = [id, label, application, folder, prefix, startedAt];
  return texts.every((each) => typeof each === 'string') && Array.isArray(addresses);
}

/** A process may be busy, but the system accepts connections to it; where it refuses one, nobody listens any more. */
const probeMs = 200;

/** Whether somebody listens to the socket of an entry; otherwise it is removed. */
function answers(entry: Entry, isUnawaited = false): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(join(entry.folder, `${entry.key}.sock`));
    if (isUnawaited) socket.unref();
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(probeMs, () => end(true));
    socket.once('connect', () => end(true));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      const isDead = code === 'ECONNREFUSED' || code === 'ENOENT' || code === 'ENOTSOCK';
      if (isDead) removeDead(entry);
      end(!isDead);
    });
  });
}

/** Between its creation and the first connection, a socket refuses connections too. */
const youngMs = 2000;

function removeDead({ folder, key }: Entry): void {
  const isRunning = isAlive(pidOf(key));
  for (const path of ['json', 'new', 'sock'].map((extension) => join(folder, `${key}.${extension}`))) {
    // With big integers, since Node 20 and 22 no longer follow links to modules once they have read a socket without.
    const { mtimeMs = 0n } = statSync(path, { bigint: true, throwIfNoEntry: false }) ?? {};
    if (!isRunning || Date.now() - Number(mtimeMs) > youngMs) remove(path);
  }
}

const pidOf = (key: string) => Number.parseInt(key, 36);

function remove(path: string): void {
  try {
    // `rmSync` would read it first, as above.
    unlinkSync(path);
  } catch {
    // It is gone, or not ours to remove.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes what processes have left that were killed; also sockets without a file. */
function removeStale(folder: string): void {
  const keys = new Set(filesIn(folder).flatMap((name) => /^(.+)\.(?:json|new|sock)$/.exec(name)?.[1] ?? []));
  // In a container that shares the folder, a process may run whose pid is not visible here.
  for (const key of keys) if (!isAlive(pidOf(key))) void answers({ folder, key }, true);
}

/** The bytes that the address of a Unix socket has room for: 108 on Linux and 104 on macOS, the last of them zero. */
const longestSocketPath = 103;

/** The folders in which instances of this user are announced, the preferred one first; none if users cannot be distinguished. */
function folderNames(): readonly string[] {
  const uid = process.geteuid?.();
  // Deno would ask the user whether files may be read; Bun is untested.
  if (uid === undefined || process.versions.deno !== undefined || process.versions.bun !== undefined) return [];
  const { XDG_RUNTIME_DIR: runtime } = process.env;
  const temporary = join(tmpdir(), `jig-${uid}`);
  return runtime === undefined || runtime === '' ? [temporary] : [join(runtime, 'jig'), temporary];
}

/** Why a folder cannot be trusted: whoever can write there could pretend to be an instance. Undefined when it can be. */
function distrust(folder: string): string | undefined {
  // Not through a link, whose owner could change it.
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return 'is not there';
  if (!found.isDirectory()) return 'is not a folder';
  if (found.uid !== process.geteuid?.()) return 'belongs to another user';
  return (found.mode & 0o077) === 0 ? undefined : 'is open to other users';
}

/** The folders that instances of this user may be in. */
const instancesFolders = (): readonly string[] => folderNames().filter((folder) => distrust(folder) === undefined);

/** The folder in which this process announces itself, made if it is not there; throws an error that says why there is none. */
function instancesFolder(file = ''): string {
  const reasons: string[] = [];
  for (const folder of folderNames()) {
    const reason = tooLong(join(folder, file)) ?? make(folder) ?? distrust(folder);
    if (reason === undefined) return folder;
    reasons.push(`${folder} ${reason}`);
  }
  throw new Error(reasons.length === 0 ? 'only Node on Linux and macOS can do so' : reasons.join(', '));
}

const tooLong = (path: string) =>
  Buffer.byteLength(path) > longestSocketPath ? 'is too long a path for a socket' : undefined;

function make(folder: string): string | undefined {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') return `cannot be made (${code})`;
  }
  return undefined;
}
