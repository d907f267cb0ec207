import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseAddress } from './connection/connection-options.ts';
import { openAdmin } from './databases/open-admin.ts';
import { DatabaseError } from './errors.ts';
import { type RunningDatabase, type Started, startDatabase } from './start-database.ts';
import type { StartDatabaseOptions } from './start-options.ts';
import { removeFolder, toPath } from './supervisor/folders.ts';
import { hasEndedWithin, identify, signal } from './supervisor/process-identity.ts';
import { runAs } from './supervisor/run-as.ts';
import { type KeptDatabase, keptFolderIn, keptFolders, writeKeptFolder } from './temporary/kept-folders.ts';
import { temporaryRoot } from './temporary/temporary-home.ts';

/** How long they are kept, in milliseconds. */
const keepFor = 60 * 60 * 1000;
const command = fileURLToPath(new URL('../bin/jig-database.js', import.meta.url));

/** What the keeper gets, as JSON. */
interface KeeperTask {
  readonly folder: string;
  readonly until: number;
  readonly options: StartDatabaseOptions;
  readonly databases: readonly Omit<KeptDatabase, 'url'>[];
}

/**
 * Stops a server and lets a process of its own run it on, with the same address where that is still free: the one that started it is about
 * to end. Gives a line for each database.
 */
export async function keepDatabases(
  started: Started,
  options: StartDatabaseOptions,
  databases: KeeperTask['databases'],
): Promise<readonly string[]> {
  const { database } = started;
  const root = dirname(database.folder);
  const folder = keptFolderIn(root, randomBytes(6).toString('hex'));
  await mkdir(folder, { mode: 0o711 });
  await started.stopInto(folder);
  const until = Date.now() + keepFor;
  const task: KeeperTask = {
    folder,
    until,
    databases,
    options: {
      ...options,
      migrations: undefined,
      seed: undefined,
      ssl: undefined,
      password: undefined,
      programs: options.programs && toPath(options.programs),
      database: database.name,
      port: database.port ?? false,
    },
  };
  const urls = await startKeeper(task);
  const time = new Date(until).toTimeString().slice(0, 5);
  return databases.map(
    ({ file, name }, index) =>
      `${database.engine === 'PostgreSQL' ? 'psql ' : ''}${urls[index]}  # ${file}, until ${time}, or npx jig-database drop ${name}`,
  );
}

async function startKeeper(task: KeeperTask): Promise<readonly string[]> {
  const child = spawn(process.execPath, [command, 'keep-running', JSON.stringify(task)], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child.unref();
  try {
    for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as string[];
  } finally {
    child.stdout.destroy();
  }
  throw new DatabaseError(
    'JIG_DATABASE_START_FAILED',
    `The databases of the tests that failed could not be kept: their server did not start again. Their files are in ${task.folder}.`,
  );
}

/** Runs in a process of its own, until the time is over or it is told to end. */
export async function runKeeper(text: string): Promise<void> {
  const task = JSON.parse(text) as KeeperTask;
  const { folder, until, databases } = task;
  const database = await startAgain(task);
  const addressOf = (name: string) => Object.assign(new URL(database.url), { pathname: `/${name}` }).href;
  const kept = databases.map((each) => ({ ...each, url: addressOf(each.name) }));
  const keeper = await identify(process.pid);
  await writeKeptFolder(folder, { until, databases: kept, ...(keeper === undefined ? {} : { keeper }) });
  const asked = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(name, () => asked.abort());
  process.stdout.on('error', () => {});
  process.stdout.write(`${JSON.stringify(kept.map(({ url }) => url))}\n`);
  await sleep(until - Date.now(), undefined, { signal: asked.signal }).catch(() => {});
  await database.stop();
  await removeFolder(folder);
}

/** Another program may have taken its port. */
async function startAgain({ folder, options }: KeeperTask): Promise<RunningDatabase> {
  const { port, ...others } = options;
  try {
    return await startDatabase({ ...options, folder });
  } catch (error) {
    if (typeof port !== 'number' || !(error instanceof DatabaseError) || error.code !== 'JIG_DATABASE_PORT_TAKEN')
      throw error;
    return startDatabase({ ...others, folder });
  }
}

export interface ListedDatabase extends KeptDatabase {
  readonly until: number;
}

/** All that are kept for this user of the machine, the newest last. */
export async function listKept(): Promise<readonly ListedDatabase[]> {
  const folders = await keptFolders(await ownRoot());
  return folders.flatMap(({ databases, until }) => databases.map((database) => ({ ...database, until })));
}

/** Drops one of them, or all; a server without any is stopped, and its folder removed. */
export async function dropKept(name: string | undefined): Promise<number> {
  let dropped = 0;
  for (const { folder, databases, until, keeper } of await keptFolders(await ownRoot())) {
    const going = databases.filter((each) => name === undefined || each.name === name);
    const staying = databases.filter((each) => !going.includes(each));
    dropped += going.length;
    if (keeper === undefined || going.length === 0) continue;
    if (staying.length === 0) {
      signal(keeper.pid, 'SIGTERM');
      await hasEndedWithin(Number.POSITIVE_INFINITY, keeper);
      continue;
    }
    const admin = await openAdmin(parseAddress(staying[0]?.url ?? ''));
    for (const each of going) await admin.drop(each.name);
    await admin.close();
    await writeKeptFolder(folder, { until, keeper, databases: staying });
  }
  return dropped;
}

const ownRoot = async () => temporaryRoot(await runAs('nobody'));
