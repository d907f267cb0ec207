import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { chown, copyFile, mkdir, readdir, readFile, rename, stat, statfs, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EmbeddedDatabase } from '../embedded-database.ts';
import type { Engine } from '../engines/engine.ts';
import { DatabaseError } from '../errors.ts';
import { makePrivateFolder, readJson, removeFolder } from '../supervisor/folders.ts';
import type { RunAs } from '../supervisor/run-as.ts';
import type { StateLog } from '../supervisor/state.ts';
import { endWithProcess } from './end-with-process.ts';
import { TemporaryHome } from './temporary-home.ts';

export interface DataTemplateOptions {
  /** The folder for all temporary databases of this machine user. */
  readonly root: string;
  readonly engine: Engine;
  readonly user: RunAs | undefined;
  readonly log: StateLog;
  readonly startTimeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** Of all that is copied from a template; a template that lacks one of them was damaged, by a cleaner of temporary files for one. */
interface Manifest {
  readonly id: string;
  /** Nothing waits for the disk, so a template is trusted only until the machine starts again. */
  readonly boot: string;
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** Changed when templates of an earlier version of this package can no longer be used. */
const format = 5;
const waitInterval = 100;
const parallelCopies = 8;
/** Cleaners of temporary files take what nobody has touched for days. */
const readyMaximumAge = 12 * 60 * 60 * 1000;
/** How much must be free on the disk, in bytes, so that no copy is kept ready where room is scarce. */
const readyMinimumRoom = 2 ** 30;

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
    const parts = JSON.stringify([format, engine.forTests, engine.variant, user?.uid ?? null]);
    const digest = createHash('sha256').update(parts).digest('hex').slice(0, 8);
    const folder = join(root, 'templates', `${product.toLowerCase()}-${version}-${digest}`);
    return new DataTemplate(options, folder, (await readManifest(folder)) ?? (await makeOnce(options, folder)));
  }

  /** Every database of this machine user has the same password, since it is part of the files. */
  get passwordFile(): string {
    return join(this.#folder, `${this.#options.engine.folder}.password`);
  }

  /** Fills an empty folder: with the copy that is ready, else with a new one. */
  async copyTo(target: string): Promise<void> {
    if (await this.#takeReady(target)) return;
    try {
      await this.#copy(target);
    } catch (error) {
      if (!isMissing(error)) throw error;
      this.#manifest = await makeOnce(this.#options, this.#folder, this.#manifest);
      await empty(target);
      await this.#copy(target);
    }
  }

  /** Makes the copy that the next start takes, unless there is one or another process makes it. */
  async makeReady(): Promise<void> {
    const { root, user } = this.#options;
    if (existsSync(this.#ready) || !(await this.#hasRoom())) return;
    const home = await TemporaryHome.create(root, user, TemporaryHome.idFor(this.#ready));
    const isDone = endWithProcess({ pid: () => null, removeSync: () => home.removeSync() });
    try {
      const draft = join(home.path, 'ready');
      await makePrivateFolder(draft, user);
      await this.#copy(draft, { parallel: 1 });
      await rename(draft, this.#ready);
    } finally {
      await home.remove();
      isDone();
    }
  }

  /** In the folder of the template, so that there is never more than one, and none without its template. */
  get #ready(): string {
    return join(this.#folder, 'ready');
  }

  /** Of all starts that try at the same time, one gets it. */
  async #takeReady(target: string): Promise<boolean> {
    try {
      await rename(this.#ready, target);
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
    const [file = ''] = this.#manifest.files;
    const copied = await stat(join(target, file)).catch(() => undefined);
    if (copied !== undefined && Date.now() - copied.mtimeMs < readyMaximumAge) return true;
    await empty(target);
    return false;
  }

  async #hasRoom(): Promise<boolean> {
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize > readyMinimumRoom;
  }

  async #give(path: string): Promise<void> {
    const { user } = this.#options;
    if (user !== undefined) await chown(path, user.uid, user.gid);
  }

  async #copy(target: string, { parallel = parallelCopies } = {}): Promise<void> {
    const source = join(this.#folder, this.#options.engine.folder);
    for (const folder of this.#manifest.folders) {
      await mkdir(join(target, folder), 0o700);
      await this.#give(join(target, folder));
    }
    const spread = spreadFolders([this.#options.root, target, join(target, 'base')]);
    const waiting = this.#manifest.files.values();
    const copyRest = async () => {
      for (const file of waiting) {
        // Shares the blocks where the file system can.
        await copyFile(join(source, file), join(target, file), constants.COPYFILE_FICLONE);
        await this.#give(join(target, file));
      }
    };
    await Promise.all([spread, ...Array.from({ length: parallel }, copyRest)]);
  }
}

/**
 * Lets ext4 put what is made in these folders far apart: chattr(1), attribute T. It gives the number of a removed file to no other for
 * minutes, and looks through all of those near the folder for each new file, so that a clone took longer with every one that was dropped.
 */
async function spreadFolders(folders: readonly string[]): Promise<void> {
  // Other file systems have no such attribute, and need none.
  if (process.platform === 'linux') await promisify(execFile)('chattr', ['-f', '+T', ...folders]).catch(() => {});
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function empty(folder: string): Promise<void> {
  for (const entry of await readdir(folder)) await removeFolder(join(folder, entry));
}

async function readManifest(folder: string): Promise<Manifest | undefined> {
  const manifest = await readJson<Manifest>(join(folder, 'manifest.json'));
  return manifest?.boot === (await bootId()) ? manifest : undefined;
}

/** Elsewhere than on Linux it is the time of the last boot, which the clock may move a little. */
async function bootId(): Promise<string> {
  const bootPeriod = Math.round((Date.now() / 1000 - uptime()) / 600);
  return readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => String(bootPeriod));
}

async function makeOnce(options: DataTemplateOptions, folder: string, damaged?: Manifest): Promise<Manifest> {
  const deadline = Date.now() + options.startTimeout;
  for (;;) {
    options.signal?.throwIfAborted();
    const home = await homeUnlessHeld(options, folder, deadline);
    try {
      const made = await readManifest(folder);
      if (made !== undefined && made.id !== damaged?.id) return made;
      if (home !== undefined) return await make(options, home.path, folder);
    } finally {
      await home?.remove();
    }
    await sleep(waitInterval);
  }
}

async function homeUnlessHeld(
  { root, user }: DataTemplateOptions,
  folder: string,
  deadline: number,
): Promise<TemporaryHome | undefined> {
  try {
    return await TemporaryHome.create(root, user, TemporaryHome.idFor(folder));
  } catch (error) {
    const isHeld = error instanceof DatabaseError && error.code === 'JIG_DATABASE_FOLDER_HELD';
    if (!isHeld || Date.now() > deadline) throw error;
    return undefined;
  }
}

/** Makes the database beside its place, and puts it there when it is complete. */
async function make(options: DataTemplateOptions, home: string, folder: string): Promise<Manifest> {
  const { engine, user, log, startTimeout, signal } = options;
  const database = new EmbeddedDatabase({
    engine,
    home,
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
  const manifest = await list(database.dataFolder, engine.forTests.isSpare);
  await writeFile(join(home, 'manifest.json'), JSON.stringify(manifest));
  await removeFolder(folder);
  await rename(home, folder);
  return manifest;
}

async function list(folder: string, isSpare: (file: string) => boolean = () => false): Promise<Manifest> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = (areFolders: boolean) =>
    entries
      .filter((entry) => entry.isDirectory() === areFolders)
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
      .filter((path) => !isSpare(path))
      // A folder comes before those in it.
      .sort();
  return { id: randomUUID(), boot: await bootId(), folders: paths(true), files: paths(false) };
}
