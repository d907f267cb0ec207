import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { ConnectionOptions } from './connection/address.ts';
import { isLostConnection } from './connection/connection-errors.ts';
import { Databases, type MainDatabase } from './databases.ts';
import { DatabaseError, errorMessage } from './errors.ts';
import { type MigrationKind, type Migrations, runMigrations, sqlFiles } from './migrations/run-migrations.ts';
import { EmbeddedDatabase, type State, type StateLog } from './server/embedded-database.ts';
import { requirePrograms } from './server/programs.ts';
import { runAs } from './server/run-as.ts';
import { explainFolderError, filesIn, randomPassword, removeFolder, toPath } from './server/server-folder.ts';
import { planStart, type StartDatabaseOptions, type StartPlan } from './start-options.ts';
import { type DataTemplateOptions, dataTemplate, forTests } from './temporary/data-template.ts';
import { makeTemporaryHome, removeLeftovers, temporaryRoot } from './temporary/temporary-home.ts';

/** A database server with one database. */
export interface RunningDatabase extends MainDatabase {
  /** `PostgreSQL`. */
  readonly engine: string;
  readonly version: string;
  readonly state: State;
  /** The process of the server; null while it is down. */
  readonly pid: number | null;
  /** On the loopback address. */
  readonly port: number;
  /** Contains the data and the log. */
  readonly folder: string;
  readonly logFile: string;
  /** Stops the server and removes a temporary folder. Can be called twice. */
  stop(): Promise<void>;
}

/** Starts a real PostgreSQL server. By default it is in a temporary folder that is removed at the end. */
export async function startDatabase(options: StartDatabaseOptions = {}): Promise<RunningDatabase> {
  return (await startWithDatabases(options)).database;
}

export interface Started {
  readonly database: RunningDatabase;
  readonly databases: Databases;
}

/** Like `startDatabase`, with what set-ups of test runners need. */
export async function startWithDatabases(options: StartDatabaseOptions): Promise<Started> {
  const plan = planStart(options);
  const { signal } = options;
  signal?.throwIfAborted();
  // A wrong path must fail before anything is started.
  for (const [kind, given] of migrationsOf(options)) if (typeof given !== 'function') await sqlFiles(given, kind);
  const user = await runAs(plan.runAs);
  const programs = await requirePrograms(plan.wanted, user);
  const log = stateLog(options);
  const temporary =
    options.folder === undefined ? await prepareTemporaryHome({ ...plan, programs, user, log, signal }) : undefined;
  try {
    const server = new EmbeddedDatabase({
      ...plan,
      home: temporary?.home ?? toPath(options.folder ?? ''),
      temporary: temporary !== undefined,
      isDisposable: temporary !== undefined,
      fill: temporary?.fill,
      programs,
      user: plan.runAs,
      settings: { ...(temporary && forTests.settings), ...plan.settings },
      log,
      onLine: options.log,
    });
    await server.start(signal);
    return await openDatabases(server, plan, options, temporary?.home);
  } catch (error) {
    if (temporary !== undefined) await removeFolder(temporary.home);
    throw error;
  }
}

/** Makes a folder with the password of the template that the data is copied from. */
async function prepareTemporaryHome(options: Omit<DataTemplateOptions, 'root'>) {
  let made: string | undefined;
  try {
    const root = await temporaryRoot(options.user);
    // What cannot be removed now is tried by the next start.
    await removeLeftovers(root).catch(() => {});
    const home = await makeTemporaryHome(root, options.user);
    made = home;
    const template = await dataTemplate({ ...options, root });
    await copyFile(template.passwordFile, filesIn(home).password);
    return { home, fill: template.copyTo };
  } catch (error) {
    if (made !== undefined) await removeFolder(made);
    throw explainFolderError(made ?? tmpdir(), error);
  }
}

function stateLog({ log = () => {} }: StartDatabaseOptions): StateLog {
  const write = (_fields: object, message: string) => log(message);
  return { info: write, warn: write, error: write };
}

async function openDatabases(
  server: EmbeddedDatabase,
  plan: StartPlan,
  options: StartDatabaseOptions,
  temporaryHome: string | undefined,
): Promise<Started> {
  const { signal } = options;
  const { database: own } = server.connection();
  const databases = new Databases(server.connection(), plan.database === 'postgres' ? own : undefined);
  let stopped: Promise<void> | undefined;
  const stopAll = async () => {
    signal?.removeEventListener('abort', onAbort);
    await databases.close();
    await server.stop();
    if (temporaryHome !== undefined) await removeFolder(temporaryHome);
  };
  const stop = () => {
    stopped ??= stopAll();
    return stopped;
  };
  const onAbort = () => void stop();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const connection = await applyCredentials(server, databases, plan);
    if (await migrate(connection, options)) await databases.keepTemplate();
    signal?.throwIfAborted();
    const running: RunningDatabase = {
      ...databases.main(stop),
      engine: server.engine,
      version: server.version ?? '',
      port: connection.port ?? 0,
      folder: dirname(server.dataFolder),
      logFile: server.logFile,
      get state() {
        return server.state;
      },
      get pid() {
        return server.pid;
      },
      stop,
    };
    return { database: running, databases };
  } catch (error) {
    await stop();
    if (!isLostConnection(error)) throw error;
    const sentence = `PostgreSQL ended while it was started: ${errorMessage(error) || 'no answer'}.`;
    throw new DatabaseError('JIG_DATABASE_START_FAILED', sentence, { cause: error });
  }
}

/** Creates the users and the main database, and replaces the password, until now that of the template. */
async function applyCredentials(
  server: EmbeddedDatabase,
  databases: Databases,
  { user, password, database }: StartPlan,
): Promise<ConnectionOptions> {
  const own = server.connection();
  const chosen = password ?? (server.persistent ? own.password : randomPassword());
  await databases.ensureUsersAndDatabase([...new Set([user, own.user, 'postgres'])], chosen, database);
  await server.usePassword(chosen);
  return { ...own, user, password: chosen, database };
}

/** In the order of execution. */
function migrationsOf({ migrations, seed }: StartDatabaseOptions): readonly (readonly [MigrationKind, Migrations])[] {
  const all = [['migrations', migrations] as const, ['seed', seed] as const];
  return all.flatMap(([kind, given]) => (given === undefined ? [] : [[kind, given] as const]));
}

/** Returns whether there was anything to run. */
async function migrate(connection: ConnectionOptions, options: StartDatabaseOptions): Promise<boolean> {
  const { log = () => {} } = options;
  const warn = options.log ?? ((line: string) => process.emitWarning(line));
  const given = migrationsOf(options);
  for (const [kind, migrations] of given)
    await runMigrations(kind, migrations, { connection, isKept: options.folder !== undefined, log, warn });
  return given.length > 0;
}
