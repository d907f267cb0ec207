import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedDatabase, type StateLog } from '../server/embedded-database.ts';
import { processSpace } from '../server/process-identity.ts';
import type { PostgresqlPrograms } from '../server/programs.ts';
import type { RunAs } from '../server/run-as.ts';
import { filesIn, removeFolder } from '../server/server-folder.ts';
import { makeTemporaryHome } from './temporary-home.ts';

const run = promisify(execFile);

export interface DataTemplateOptions {
  /** The folder for all temporary databases of this machine user. */
  readonly root: string;
  readonly programs: PostgresqlPrograms;
  readonly locale: string | undefined;
  readonly user: RunAs | undefined;
  readonly log: StateLog;
  readonly startTimeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** Settings of databases for tests: small and quick to copy. */
export const forTests = {
  initialiseArguments: [
    '--no-sync',
    // Checksums take a quarter of the time of `initdb`.
    '--no-data-checksums',
    '--wal-segsize=1',
    // Passwords are random, so many iterations would only make each connection slower.
    '--set=scram_iterations=1',
    '--set=fsync=off',
    // WAL segments kept for reuse would only be copied.
    '--set=min_wal_size=2MB',
    '--set=wal_recycle=off',
    '--set=wal_init_zero=off',
  ],
  settings: {
    fsync: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    autovacuum: 'off',
    shared_buffers: '16MB',
    // In the data folder: a killed server would leave files in /dev/shm.
    dynamic_shared_memory_type: 'mmap',
  },
};

/** The free space and visibility maps are a quarter of all files and optional: VACUUM creates them again. */
const isOptional = (file: string) => /_(?:fsm|vm)$/.test(file);

/** Changed when templates of an earlier version of this package can no longer be used. */
const format = 7;
const dayMs = 24 * 60 * 60 * 1000;

/** The files of an empty database, created once and then copied, never changed. */
export interface DataTemplate {
  /** The password is part of the files, so all databases of this machine user begin with it. */
  readonly passwordFile: string;
  /** Fills an empty folder. Keeps owners, and shares blocks where the file system can. */
  readonly copyTo: (target: string) => Promise<void>;
}

/** Creates it if it is missing. Of several processes, the first wins. */
export async function dataTemplate(options: DataTemplateOptions): Promise<DataTemplate> {
  const { root, programs, locale, user } = options;
  // A new one each day and after each boot: without fsync a crash may leave it incomplete, and cleaners remove old temporary files.
  const validity = [await processSpace(), Math.floor(Date.now() / dayMs)];
  const parts = JSON.stringify([format, forTests, programs.postgres, locale, user?.uid, ...validity]);
  const digest = createHash('sha256').update(parts).digest('hex').slice(0, 8);
  const folder = join(root, 'templates', `postgresql-${programs.version}-${digest}`);
  if (!existsSync(folder)) await make(options, folder);
  const files = filesIn(folder);
  return {
    passwordFile: files.password,
    copyTo: async (target) => {
      await run('cp', ['-Rp', `${files.data}/.`, target]);
      await spreadFolders(root, join(target, 'base'));
    },
  };
}

/**
 * Lets ext4 spread new folders (chattr(1), attribute T). It does not reuse inodes of removed files for minutes and searches all of them near a
 * folder, so each clone took longer than the one before.
 */
async function spreadFolders(...folders: readonly string[]): Promise<void> {
  // Other file systems do not need it.
  if (process.platform === 'linux') await run('chattr', ['-f', '+T', ...folders]).catch(() => {});
}

/** Creates the database in a draft folder, and renames it when complete. */
async function make(options: DataTemplateOptions, folder: string): Promise<void> {
  const { root, user, signal, ...others } = options;
  const home = await makeTemporaryHome(root, user);
  try {
    const place = { home, port: 0, user: user?.name ?? '', temporary: false };
    const database = new EmbeddedDatabase({ ...others, ...place, ...forTests });
    // A start and a stop here make the first start of every copy faster.
    await database.start(signal);
    await database.stop();
    const files = await readdir(database.dataFolder, { recursive: true });
    for (const file of files) if (isOptional(file)) await rm(join(database.dataFolder, file));
    // Another process may have been first: others copy from its template already.
    await rename(home, folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    await removeOld(dirname(folder));
  } finally {
    await removeFolder(home);
  }
}

async function removeOld(templates: string): Promise<void> {
  for (const name of await readdir(templates)) {
    const folder = join(templates, name);
    const made = await stat(folder).catch(() => undefined);
    if (made !== undefined && Date.now() - made.mtimeMs > 2 * dayMs) await removeFolder(folder);
  }
}
