import { copyFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CertificateFiles, writeCertificate } from './certificate.ts';
import type { ConnectionOptions } from './connection/connection-options.ts';
import { DatabaseServer, type MainDatabase } from './database-server.ts';
import type { DatabaseAdmin } from './databases/database-admin.ts';
import { openAdmin } from './databases/open-admin.ts';
import { EmbeddedDatabase } from './embedded-database.ts';
import { DatabaseError, errorMessage } from './errors.ts';
import { type MigrationKind, type Migrations, runMigrations, sqlFiles } from './migrations/run-migrations.ts';
import { randomPassword } from './password-file.ts';
import { inOptionNames, planStart, type StartDatabaseOptions, type StartPlan } from './start-options.ts';
import { toPath } from './supervisor/folders.ts';
import { detectParentDeathSignal } from './supervisor/parent-death-signal.ts';
import { type RunAs, runAs } from './supervisor/run-as.ts';
import type { State, StateLog } from './supervisor/state.ts';
import { DataTemplate } from './temporary/data-template.ts';
import { endWithProcess } from './temporary/end-with-process.ts';
import { keptFolders } from './temporary/kept-folders.ts';
import { removeLeftovers, TemporaryHome, temporaryRoot } from './temporary/temporary-home.ts';

/** A database server that was started here, with one database in it. */
export interface RunningDatabase extends MainDatabase {
  /** `PostgreSQL`, `MariaDB` or `MySQL`. */
  readonly engine: string;
  readonly version: string;
  readonly state: State;
  /** The process of the server; null while it is down. */
  readonly pid: number | null;
  /** On the loopback address; null when there is only the socket. */
  readonly port: number | null;
  /** The folder of the socket for PostgreSQL, its file for MySQL. */
  readonly socket: string;
  /** Holds the data, the socket and the log. */
  readonly folder: string;
  readonly logFile: string;
  /** The file of the certificate, for clients to trust; null without `ssl`. */
  readonly certificate: string | null;
  /** Can be called twice; no process is left when it resolves, and no folder of a temporary database. */
  stop(): Promise<void>;
}

/** Tests may leave a server no time for many seconds, and one that ends is noticed anyway. */
const probeInterval = 0;
/** Another program may take a free port before the server does. */
const portAttempts = 5;
/** How long a start waits for the removal of what killed processes left. */
const leftoversTimeout = 2000;

/** Starts a real database server. By default it is PostgreSQL in a temporary folder that is removed at the end. */
export async function startDatabase(options: StartDatabaseOptions = {}): Promise<RunningDatabase> {
  return (await startWithServer(options)).database;
}

export interface Started {
  readonly database: RunningDatabase;
  readonly server: DatabaseServer;
  /** Stops a temporary database, and moves its data into a folder, which can be started again. */
  stopInto(folder: string): Promise<void>;
}

/** As `startDatabase`, with what the set-ups of test runners need. */
export async function startWithServer(options: StartDatabaseOptions): Promise<Started> {
  try {
    return await start(options);
  } catch (error) {
    throw inOptionNames(error);
  }
}

async function start(options: StartDatabaseOptions): Promise<Started> {
  const plan = planStart(options);
  options.signal?.throwIfAborted();
  // Asked while other things are done; the supervisor takes the answer.
  void detectParentDeathSignal();
  // A path that is wrong is told before anything is started.
  for (const [kind, given] of migrationsOf(options)) if (typeof given !== 'function') await sqlFiles(given, kind);
  const user = await runAs(plan.runAs);
  await plan.checkVersion(user);
  const place = options.folder === undefined ? await temporaryPlace(plan, options, user) : keptPlace(options.folder);
  try {
    const files = options.ssl ? await writeCertificate(join(place.home, 'tls'), user) : undefined;
    return await open(await startServer(plan, options, place, files), plan, options, place);
  } catch (error) {
    await place.remove();
    throw error;
  }
}

/** Where a server runs, and what becomes of the place. */
interface Place {
  readonly home: string;
  readonly temporary: boolean;
  readonly fill?: ((folder: string) => Promise<void>) | undefined;
  remove(): Promise<void>;
  /** For the end of the process, which waits for nothing. */
  removeSync(): void;
  /** Called once a database runs: what the next start will need. */
  makeReady(): Promise<void>;
}

const silent: StateLog = { info: () => {}, warn: () => {}, error: () => {} };

function keptPlace(folder: string | URL): Place {
  const nothing = async () => {};
  return { home: toPath(folder), temporary: false, remove: nothing, removeSync: () => {}, makeReady: nothing };
}

async function temporaryPlace(
  { engine, startTimeout }: StartPlan,
  options: StartDatabaseOptions,
  user: RunAs | undefined,
): Promise<Place> {
  const { signal } = options;
  const root = await temporaryRoot(user);
  const waited = new AbortController();
  const cleaned = Promise.race([
    Promise.all([removeLeftovers(root, user), keptFolders(root)]).catch(() => {}),
    sleep(leftoversTimeout, undefined, { signal: waited.signal }).catch(() => {}),
  ]);
  const home = await TemporaryHome.create(root, user);
  const remove = () => home.remove();
  try {
    const template = await DataTemplate.ensure({ root, engine, user, startTimeout, signal, log: stateLog(options) });
    await copyFile(template.passwordFile, join(home.path, basename(template.passwordFile)));
    await cleaned;
    waited.abort();
    return {
      home: home.path,
      temporary: true,
      fill: (folder) => template.copyTo(folder),
      remove,
      removeSync: () => home.removeSync(),
      // Without it the next start copies by itself.
      makeReady: () => template.makeReady().catch(() => {}),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function stateLog({ log }: StartDatabaseOptions): StateLog {
  if (log === undefined) return silent;
  const write = (_fields: object, message: string) => log(message);
  return { info: write, warn: write, error: write };
}

interface StartedServer {
  readonly database: EmbeddedDatabase;
  /** 0: the socket only. */
  readonly port: number;
  readonly certificate: string | null;
}

/** A free port that another program takes in the meantime is no failure. */
async function startServer(
  { engine, port, settings, startTimeout, runAs: user }: StartPlan,
  options: StartDatabaseOptions,
  { home, temporary, fill }: Place,
  certificate: CertificateFiles | undefined,
): Promise<StartedServer> {
  const { log, signal } = options;
  for (let attempt = 1; ; attempt++) {
    const chosen = port === 'any' ? await freePort() : port;
    const database = new EmbeddedDatabase({
      engine,
      home,
      port: chosen,
      user,
      temporary,
      settings: {
        ...(temporary ? engine.forTests.settings : {}),
        ...(certificate === undefined ? {} : engine.tlsSettings(certificate)),
        ...settings,
      },
      startTimeout,
      probeInterval,
      log: stateLog(options),
      keepsProcessAlive: false,
      fill,
      onLine: log,
    });
    try {
      await database.start(signal);
      return { database, port: chosen, certificate: certificate?.certificate ?? null };
    } catch (error) {
      const isTaken = error instanceof DatabaseError && error.code === 'JIG_DATABASE_PORT_TAKEN';
      if (!isTaken || port !== 'any' || attempt === portAttempts) throw error;
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolved, reject) => {
    const server = createServer();
    server.on('error', (cause) =>
      reject(
        new DatabaseError(
          'JIG_DATABASE_PORT_TAKEN',
          `No port is free on the loopback address: ${errorMessage(cause)}. Close some connections, or give port: false for the socket only.`,
          { cause },
        ),
      ),
    );
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolved(port));
    });
  });
}

/** Every temporary database has the password of the template that it is a copy of, until here. */
async function applyNames(
  database: EmbeddedDatabase,
  { names: { user, password, database: name } }: StartPlan,
  { temporary }: Place,
): Promise<{ readonly bySocket: ConnectionOptions; readonly admin: DatabaseAdmin }> {
  const own = database.connection();
  const chosen = password ?? (temporary ? randomPassword() : own.password);
  const admin = await openAdmin(own, name === 'postgres' ? own.database : undefined);
  const superusers = own.dialect === 'postgresql' ? ['postgres'] : [];
  const users = [...new Set([user, own.user, ...superusers])];
  await admin.ensureNames({ users, password: chosen, database: name });
  await database.usePassword(chosen);
  return { bySocket: { ...own, user, password: chosen, database: name }, admin };
}

/** In the order in which they run. */
function migrationsOf({ migrations, seed }: StartDatabaseOptions): readonly (readonly [MigrationKind, Migrations])[] {
  const all = [['migrations', migrations] as const, ['seed', seed] as const];
  return all.flatMap(([kind, given]) => (given === undefined ? [] : [[kind, given] as const]));
}

/** Says whether there was anything to run. */
async function migrate(
  connection: ConnectionOptions,
  options: StartDatabaseOptions,
  { temporary }: Place,
): Promise<boolean> {
  const { log = () => {} } = options;
  const warn = options.log ?? ((line: string) => process.emitWarning(line));
  const given = migrationsOf(options);
  for (const [kind, migrations] of given)
    await runMigrations(kind, migrations, { connection, isKept: !temporary, log, warn });
  return given.length > 0;
}

async function open(
  { database, port, certificate }: StartedServer,
  plan: StartPlan,
  options: StartDatabaseOptions,
  place: Place,
): Promise<Started> {
  const { signal } = options;
  const unwatch = endWithProcess({ pid: () => database.pid, removeSync: () => place.removeSync() });
  const { bySocket, admin } = await applyNames(database, plan, place).catch(async (error: unknown) => {
    await database.stop();
    unwatch();
    throw error;
  });
  const { socket: _, ...rest } = bySocket;
  const connection: ConnectionOptions = port === 0 ? bySocket : { ...rest, host: '127.0.0.1', port };
  const server = new DatabaseServer(connection, { version: database.version ?? '', admin });
  let stopped: Promise<void> | undefined;
  const stopAll = async (stopServer: () => Promise<void>) => {
    signal?.removeEventListener('abort', onAbort);
    await server.close({ dropsUnused: false });
    await stopServer();
    await Promise.all([place.remove(), ready]);
    unwatch();
  };
  const stopBy = (stopServer: () => Promise<void>) => {
    stopped ??= stopAll(stopServer);
    return stopped;
  };
  const stop = () => stopBy(() => database.stop());
  let ready: Promise<void> | undefined;
  const onAbort = () => void stop();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    if (await migrate(connection, options, place)) await server.keepTemplate();
    signal?.throwIfAborted();
  } catch (error) {
    await stop();
    throw error;
  }
  ready = place.makeReady();
  const running: RunningDatabase = {
    ...server.main(stop),
    engine: database.engine,
    version: database.version ?? '',
    port: port === 0 ? null : port,
    socket: bySocket.socket ?? '',
    folder: place.home,
    certificate,
    logFile: database.logFile,
    get state() {
      return database.state;
    },
    get pid() {
      return database.pid;
    },
    stop,
  };
  return { database: running, server, stopInto: (folder) => stopBy(() => database.stopInto(folder)) };
}
