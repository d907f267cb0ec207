import { createHash, randomUUID } from 'node:crypto';
import { link, readdir, readFile, readlink, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from '../errors.ts';
import { ignoreMissing } from './folders.ts';
import { identify, isAlive, type ProcessIdentity } from './process-identity.ts';

/** What the lock file says of its holder. */
interface Holder extends ProcessIdentity {
  readonly host: string;
  /** A pid has no meaning in another boot or pid namespace (a container). */
  readonly boot: string;
  readonly namespace: string;
}

const heartbeatMs = 2000;
/** A holder in another pid namespace is considered dead when it has not touched its lock for this long. */
const staleAfterMs = 3 * heartbeatMs;
/** What a lock is written to before it gets its name. */
const draftPattern = /(?:^|\.)lock(?:\.claim-[0-9a-f]{32})?\.[0-9a-f-]{36}$/;
/** The lock that lets one process alone take an abandoned lock over. */
const claimPattern = /(?<=(?:^|\.)lock)\.claim-[0-9a-f]{32}$/;
const claimPauseMs = 10;

/** Locks a folder for as long as the holder lives; the lock of a dead holder is taken over. */
export class DataLock {
  readonly #path: string;
  readonly #content: string;
  readonly #heartbeatTimer: NodeJS.Timeout;

  private constructor(path: string, content: string) {
    this.#path = path;
    this.#content = content;
    this.#heartbeatTimer = setInterval(
      () => void utimes(path, new Date(), new Date()).catch(() => {}),
      heartbeatMs,
    ).unref();
  }

  /** Takes the lock, or throws an error that names the holder. */
  static async acquire(path: string): Promise<DataLock> {
    const content = JSON.stringify(await self());
    while (!(await writeUnlessThere(path, content)) && !(await takeOver(path, content)));
    return new DataLock(path, content);
  }

  /** Can be called twice; keeps a lock that another process has taken over. */
  async release(): Promise<void> {
    clearInterval(this.#heartbeatTimer);
    if ((await readOrNothing(this.#path)) === this.#content) await unlink(this.#path).catch(() => {});
  }
}

/** Removes what processes left in this folder that were killed while they took a lock. */
export async function removeLockDrafts(folder: string): Promise<void> {
  const entries = await readdir(folder);
  const drafts = entries.filter((entry) => draftPattern.test(entry));
  const claims = entries.filter((entry) => claimPattern.test(entry));
  await Promise.all([
    ...drafts.map((draft) => removeDraftIfAbandoned(join(folder, draft))),
    ...claims.map((claim) => removeClaimIfAbandoned(join(folder, claim))),
  ]);
}

/** One that is empty may be about to be written: its process then writes another. */
async function removeDraftIfAbandoned(path: string): Promise<void> {
  const content = await readOrNothing(path);
  if (content === undefined) return;
  const holder = parseHolder(content);
  if (holder === undefined || !(await isHeld(path, holder))) await unlink(path).catch(ignoreMissing);
}

async function removeClaimIfAbandoned(path: string): Promise<void> {
  const claim = await acquireUnlessHeld(path);
  await claim?.release();
}

/** Linking a finished file is atomic, so nobody ever sees a lock that is half written. */
function writeUnlessThere(path: string, content: string): Promise<boolean> {
  return withDraft(path, content, (draft) => linkUnlessThere(draft, path));
}

async function withDraft<Result>(
  path: string,
  content: string,
  use: (draft: string) => Promise<Result>,
): Promise<Result> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, content, { mode: 0o644, flag: 'wx' });
    return await use(draft);
  } finally {
    await unlink(draft).catch(ignoreMissing);
  }
}

/**
 * Replaces the lock of a dead holder by ours; false when it is not there any more, or somebody else is at it.
 * Only who holds the claim on just this lock may replace it, and it is never away: between removing it and writing another,
 * a third process could take it while a second one, which also found the holder dead, removes the lock of the first.
 */
async function takeOver(path: string, content: string): Promise<boolean> {
  const found = await readOrNothing(path);
  if (found === undefined) return false;
  const holder = parseHolder(found);
  if (holder !== undefined && (await isHeld(path, holder))) throw heldBy(path, holder);
  const claim = await acquireUnlessHeld(claimOn(path, found));
  if (claim === undefined) {
    await sleep(claimPauseMs);
    return false;
  }
  try {
    return (await readOrNothing(path)) === found && (await replace(path, content));
  } finally {
    await claim.release();
  }
}

/** The path of the claim on a lock with this content: a claim can be abandoned too, and be claimed. */
function claimOn(path: string, content: string): string {
  const hash = createHash('sha256').update(`${path}\n${content}`).digest('hex').slice(0, 32);
  return `${path.replace(claimPattern, '')}.claim-${hash}`;
}

async function acquireUnlessHeld(path: string): Promise<DataLock | undefined> {
  try {
    return await DataLock.acquire(path);
  } catch (error) {
    if (error instanceof DatabaseError) return undefined;
    throw error;
  }
}

/** False when the draft is gone, because another process took it for abandoned. */
function replace(path: string, content: string): Promise<boolean> {
  return withDraft(path, content, (draft) =>
    rename(draft, path).then(
      () => true,
      (error) => {
        ignoreMissing(error);
        return false;
      },
    ),
  );
}

async function isHeld(path: string, holder: Holder): Promise<boolean> {
  const here = await self();
  if (holder.host === here.host && holder.boot !== here.boot) return false;
  if (holder.boot === here.boot && holder.namespace === here.namespace) return isAlive(holder);
  return hasHeartbeat(path);
}

/** Whether a holder on another machine or in another container still touches its lock file. */
async function hasHeartbeat(path: string): Promise<boolean> {
  const modified = async () => (await stat(path)).mtimeMs;
  const first = await modified().catch(() => 0);
  const deadline = Date.now() + staleAfterMs;
  while (Date.now() < deadline) {
    await sleep(heartbeatMs / 4);
    const latest = await modified().catch(() => 0);
    if (latest !== first) return latest !== 0;
  }
  return false;
}

function heldBy(path: string, holder: Holder): Error {
  const folder = path.slice(0, path.lastIndexOf('/'));
  const elsewhere = holder.host === hostname() ? '' : ` on ${holder.host}`;
  return new DatabaseError(
    'JIG_DATABASE_FOLDER_HELD',
    `The database folder ${folder} is in use by the process ${holder.pid}${elsewhere}. Stop that one first, or give this one another JIG_HOME.`,
    { fields: { folder, pid: holder.pid, host: holder.host } },
  );
}

async function self(): Promise<Holder> {
  const identity = await identify(process.pid);
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return { pid: process.pid, startTime: identity?.startTime ?? '', host: hostname(), boot: boot.trim(), namespace };
}

function parseHolder(content: string): Holder | undefined {
  try {
    const { pid, startTime, host, boot, namespace } = JSON.parse(content) as Partial<Holder>;
    const texts = [startTime, host, boot, namespace];
    if (!Number.isSafeInteger(pid) || !texts.every((text) => typeof text === 'string')) return undefined;
    return { pid, startTime, host, boot, namespace } as Holder;
  } catch {
    return undefined;
  }
}

/** False also when `from` is gone, because another process took it for abandoned. */
async function linkUnlessThere(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

function readOrNothing(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(ignoreMissing);
}
