import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { chown, copyFile, mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedDatabase } from '../embedded-database.ts';
import type { Engine } from '../engines/engine.ts';
import { DatabaseError } from '../errors.ts';
import { DataLock } from '../supervisor/data-lock.ts';
import { removeFolder } from '../supervisor/folders.ts';
import type { RunAs } from '../supervisor/run-as.ts';
import type { StateLog } from '../supervisor/state.ts';
import { endServerIn } from './temporary-home.ts';

export interface DataTemplateOptions {
  /** The folder for all temporary databases of this machine user. */
  readonly root: string;
  readonly engine: Engine;
  readonly user: RunAs | undefined;
  readonly log: StateLog;
  readonly startTimeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** Of all that is in a template; a template that lacks one of them was damaged, by a cleaner of temporary files for one. */
interface Manifest {
  /** Nothing waits for the disk, so a template is trusted only until the machine starts again. */
  readonly boot: string;
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** Changed when templates of an earlier version of this package can no longer be used. */
const format = 2;
const waitInterval = 50;
const parallelCopies = 8;

/** The files of a new, empty database, made once for each version and machine user and then copied. */
export class DataTemplate {
  readonly #options: DataTemplateOptions;
  readonly #folder: string;
  #manifest: Manifest;

  private constructor(options: DataTemplateOptions, folder: string, manifest: Manifest) {
    this.#options = options;
    this.#folder = folder;
    this.#manifest = manifest;
  }

  /** Makes it when it is not there; when several processes need it at the same time, one makes it and the others wait. */
  static async ensure(options: DataTemplateOptions): Promise<DataTemplate> {
    const { root, engine, user } = options;
    const { product, version } = await engine.version(user);
    const parts = JSON.stringify([format, engine.forTests, user?.uid ?? null]);
    const digest = createHash('sha256').update(parts).digest('hex').slice(0, 8);
    const folder = join(root, 'templates', `${product.toLowerCase()}-${version}-${digest}`);
    return new DataTemplate(options, folder, (await readManifest(folder)) ?? (await makeOnce(options, folder)));
  }

  /** Every database of this machine user has the same password, since it is part of the files. */
  get passwordFile(): string {
    return join(this.#folder, `${this.#options.engine.folder}.password`);
  }

  /** Fills an empty folder. */
  async copyTo(target: string): Promise<void> {
    try {
      await this.#copy(target);
    } catch (error) {
      if (!isMissing(error)) throw error;
      await removeFolder(this.#folder);
      this.#manifest = await makeOnce(this.#options, this.#folder);
      for (const entry of await readdir(target)) await removeFolder(join(target, entry));
      await this.#copy(target);
    }
  }

  async #give(path: string): Promise<void> {
    const { user } = this.#options;
    if (user !== undefined) await chown(path, user.uid, user.gid);
  }

  async #copy(target: string): Promise<void> {
    const source = join(this.#folder, this.#options.engine.folder);
    for (const folder of this.#manifest.folders) {
      await mkdir(join(target, folder), 0o700);
      await this.#give(join(target, folder));
    }
    const waiting = this.#manifest.files.values();
    const copyRest = async () => {
      for (const file of waiting) {
        // Shares the blocks where the file system can.
        await copyFile(join(source, file), join(target, file), constants.COPYFILE_FICLONE);
        await this.#give(join(target, file));
      }
    };
    await Promise.all(Array.from({ length: parallelCopies }, copyRest));
  }
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest;
    return manifest.boot === (await bootId()) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** Elsewhere than on Linux it is the time of the last boot, which the clock may move a little. */
async function bootId(): Promise<string> {
  const bootPeriod = Math.round((Date.now() / 1000 - uptime()) / 600);
  return readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => String(bootPeriod));
}

async function makeOnce(options: DataTemplateOptions, folder: string): Promise<Manifest> {
  const deadline = Date.now() + options.startTimeout;
  for (;;) {
    options.signal?.throwIfAborted();
    const lock = await lockUnlessHeld(`${folder}.lock`, deadline);
    try {
      const made = await readManifest(folder);
      if (made !== undefined) return made;
      if (lock !== undefined) return await make(options, folder);
    } finally {
      await lock?.release();
    }
    await sleep(waitInterval);
  }
}

async function lockUnlessHeld(path: string, deadline: number): Promise<DataLock | undefined> {
  try {
    return await DataLock.acquire(path);
  } catch (error) {
    const isHeld = error instanceof DatabaseError && error.code === 'JIG_DATABASE_FOLDER_HELD';
    if (!isHeld || Date.now() > deadline) throw error;
    return undefined;
  }
}

/** Makes the database beside its place, and puts it there when it is complete. */
async function make(options: DataTemplateOptions, folder: string): Promise<Manifest> {
  const { engine, user, log, startTimeout, signal } = options;
  // A short path, since the path of the socket in it must not be long.
  const draft = join(options.root, `draft-${folder.slice(-8)}`);
  await endServerIn(draft);
  await removeFolder(draft);
  try {
    const database = new EmbeddedDatabase({
      engine,
      home: draft,
      port: 0,
      user: user?.name ?? '',
      temporary: false,
      ...engine.forTests,
      startTimeout,
      probeInterval: startTimeout,
      log,
    });
    // A start and a stop leave less to do for the first start of every copy.
    await database.start(signal);
    await database.stop();
    const manifest = await list(database.dataFolder);
    await writeFile(join(draft, 'manifest.json'), JSON.stringify(manifest));
    await removeFolder(folder);
    await rename(draft, folder);
    return manifest;
  } catch (error) {
    await removeFolder(draft);
    throw error;
  }
}

async function list(folder: string): Promise<Manifest> {
  const folders: string[] = [];
  const files: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    ((await stat(path)).isDirectory() ? folders : files).push(relative(folder, path));
  }
  // A folder comes before those in it.
  return { boot: await bootId(), folders: folders.sort(), files };
}
