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

/** The announcements of this thread, by their keys; they are removed when it ends. */
const open = new Map<string, Announced>();
const closeAll = () => {
  for (const each of open.values()) each.close();
};

/** Announces this process to others of the same user; throws an error that says why that is not possible. Keeps no process alive. */
export function announce({ handler, application, prefix, rules = '', attached, ...who }: AnnounceOptions): Announced {
  const start = startOfProcess;
  const keys = [process.pid, threadId, start].map((each) => each.toString(36));
  const keyOf = (mount: number) => [...keys, `${attached === true ? 'a' : ''}${mount.toString(36)}`].join('-');
  const folder = ownFolder(`${keyOf(maxMounts)}.sock`);
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
      const next = `${file}.new`;
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

/** All instances of this user that can be reached. Removes files that killed processes left behind. */
export async function announcements(): Promise<readonly Announcement[]> {
  const found = folderNames()
    .filter(isOwn)
    .flatMap((folder) => {
      const keys = readdirSync(folder).flatMap((name) => /^(.+)\.(?:json|sock)$/.exec(name)?.[1] ?? []);
      return [...new Set(keys)].map((key) => ({ key, path: join(folder, key) }));
    });
  const read = await Promise.all(
    found.map(async ({ key, path }) => open.get(key)?.announcement ?? readAnnouncement(path)),
  );
  return read.filter((each) => each !== undefined).sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
}

/** @param path without the extension */
async function readAnnouncement(path: string): Promise<Announcement | undefined> {
  if (!(await answers(`${path}.sock`))) {
    for (const file of [`${path}.json`, `${path}.sock`]) if (!isRecent(file)) remove(file);
    return undefined;
  }
  try {
    const announcement = JSON.parse(await promises.readFile(`${path}.json`, 'utf8')) as Announcement;
    return announcement.version === 1 ? { ...announcement, socket: `${path}.sock` } : undefined;
  } catch {
    // It is being written, or was just removed.
    return undefined;
  }
}

/** The system accepts connections even for a busy process; if it refuses one, nobody listens any more. */
const probeMs = 200;

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (isReachable: boolean) => {
      socket.destroy();
      resolve(isReachable);
    };
    socket.setTimeout(probeMs, () => end(true));
    socket.once('connect', () => end(true));
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      end(code !== 'ECONNREFUSED' && code !== 'ENOENT' && code !== 'ENOTSOCK'),
    );
  });
}

/** A new socket refuses connections too, until its process listens. */
const recentMs = 2000;

function isRecent(path: string): boolean {
  // Without `bigint`, Node 20 and 22 stop following symbolic links to modules once they have read a socket.
  const { mtimeMs = 0n } = statSync(path, { bigint: true, throwIfNoEntry: false }) ?? {};
  return Date.now() - Number(mtimeMs) < recentMs;
}

function remove(path: string): void {
  try {
    // `rmSync` would read it first, as above.
    unlinkSync(path);
  } catch {
    // It is gone, or not ours to remove.
  }
}

/** The bytes that the address of a Unix socket has room for: 108 on Linux and 104 on macOS, the last of them zero. */
const maxSocketPath = 103;

/** The folders in which instances of this user are announced, the preferred one first; none if users cannot be distinguished. */
function folderNames(): readonly string[] {
  const uid = process.geteuid?.();
  // Deno would ask the user whether files may be read; Bun is untested.
  if (uid === undefined || process.versions.deno !== undefined || process.versions.bun !== undefined) return [];
  const { XDG_RUNTIME_DIR: runtime } = process.env;
  const temporary = join(tmpdir(), `jig-${uid}`);
  return runtime === undefined || runtime === '' ? [temporary] : [join(runtime, 'jig'), temporary];
}

/** Whether only this user can write in a folder: anybody who can could pretend to be an instance. */
function isOwn(folder: string): boolean {
  // Not through a link, whose owner could change it.
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.geteuid?.() && (found.mode & 0o077) === 0;
}

/** The folder in which this process announces itself with files of such names, made if it is not there. */
function ownFolder(name: string): string {
  for (const folder of folderNames()) {
    if (Buffer.byteLength(join(folder, name)) > maxSocketPath) continue;
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch {
      // It is there already, or cannot be made.
    }
    if (isOwn(folder)) return folder;
  }
  const folders = folderNames().join(' or ') || 'Node on Linux or macOS';
  throw new Error(`that needs ${folders}, as a folder of this user alone, and a path shorter than ${maxSocketPath}`);
}
