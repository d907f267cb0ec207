import { chown, readFile, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { ConnectionOptions } from '../connection/connection-options.ts';
import { probe } from '../connection/probe.ts';
import { DatabaseError } from '../errors.ts';
import { isPidFileOfRunning, readPidFile } from '../supervisor/process-identity.ts';
import type { RunAs } from '../supervisor/run-as.ts';
import type { ServerCommand, StopStep } from '../supervisor/server-process.ts';
import { type Engine, type EngineServer, ownName, type ServerSetup } from './engine.ts';
import {
  findPrograms,
  libraryEnvironment,
  type PostgresqlPrograms,
  platformPackage,
  reachablePrograms,
} from './postgresql-programs.ts';
import { postgresqlStartupErrors } from './postgresql-startup-errors.ts';
import { checkFirstConnection, checkSettingNames, matchStartupError } from './startup-errors.ts';

/** PostgreSQL names its socket by a port, even where it listens on none. */
const usualPort = 5432;

/** SIGTERM would wait for every client to leave, so it begins with the fast shutdown. */
const fastShutdown: readonly StopStep[] = [
  { signal: 'SIGINT', timeoutMs: 5000 },
  { signal: 'SIGQUIT', timeoutMs: 2000 },
];

/** Tests stop a server right after `pool.end()` of pg, which does not wait for its connections; cutting them off would be an uncaught error. */
const leave: StopStep = { signal: 'SIGTERM', timeoutMs: 500 };

class PostgresqlServer implements EngineServer {
  readonly product = 'PostgreSQL';
  readonly runsByDescriptor = true;
  readonly version: string;
  readonly dataFolder: string;
  readonly connection: ConnectionOptions;
  readonly stopSteps: readonly StopStep[];
  readonly deathSignal = 'SIGINT';
  readonly #programs: PostgresqlPrograms;
  readonly #setup: ServerSetup;
  readonly #env: Readonly<Record<string, string>>;
  readonly #port: number;
  readonly #pidFile: string;

  constructor(programs: PostgresqlPrograms, setup: ServerSetup, env: Readonly<Record<string, string>>) {
    this.#programs = programs;
    this.#setup = setup;
    this.#env = env;
    this.#port = setup.port === 0 ? usualPort : setup.port;
    this.version = programs.version;
    this.stopSteps = [...(setup.temporary ? [leave] : []), ...fastShutdown];
    this.dataFolder = setup.dataFolder;
    this.#pidFile = join(setup.dataFolder, 'postmaster.pid');
    this.connection = {
      dialect: 'postgresql',
      socket: setup.socketFolder,
      port: this.#port,
      user: ownName,
      password: setup.password,
      database: ownName,
    };
  }

  get title(): string {
    return `${this.product} ${this.version}`;
  }

  async checkData(): Promise<void> {
    const written = await readFile(join(this.dataFolder, 'PG_VERSION'), 'utf8').catch(() => undefined);
    if (written === undefined)
      throw new DatabaseError(
        'JIG_DATABASE_FOLDER_FOREIGN',
        `The folder ${this.dataFolder} holds something that is no PostgreSQL database. It is untouched; move it away or choose another JIG_HOME.`,
        { fields: { folder: this.dataFolder } },
      );
    const [major = ''] = this.version.split('.');
    if (written.trim() !== major)
      throw new DatabaseError(
        'JIG_DATABASE_VERSION_DIFFERS',
        `The data in ${this.dataFolder} was written by PostgreSQL ${written.trim()}, but this is PostgreSQL ${this.version}. The data is untouched; dump it with the old version and load it into the new one.`,
        { fields: { folder: this.dataFolder, written: written.trim(), version: this.version } },
      );
  }

  async initialise(folder: string, run: (command: ServerCommand) => Promise<void>): Promise<void> {
    const passwordFile = `${folder}.password`;
    const { user } = this.#setup;
    try {
      await writeFile(passwordFile, this.#setup.password, { mode: 0o600, flag: 'wx' });
      if (user !== undefined) await chown(passwordFile, user.uid, user.gid);
      const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
      const access = [`--username=${ownName}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
      await run({
        file: this.#programs.initdb,
        args: ['-D', folder, ...access, ...locale, '--no-instructions', ...(this.#setup.initialiseArguments ?? [])],
        env: this.#env,
      });
      const single = (database: string, input: string): ServerCommand => ({
        file: this.#programs.postgres,
        // Without the setting, a statement that fails is no failure of the program.
        args: ['--single', '-c', 'exit_on_error=on', '-D', folder, database],
        env: this.#env,
        input,
      });
      await run(single('postgres', `CREATE DATABASE ${ownName} STRATEGY file_copy\n`));
      // Ends with a failure unless the database is there.
      await run(single(ownName, ''));
    } finally {
      await rm(passwordFile, { force: true });
    }
  }

  command(): ServerCommand {
    const { settings, temporary, port, socketFolder } = this.#setup;
    const ours = {
      listen_addresses: port === 0 ? '' : '127.0.0.1',
      port: String(this.#port),
      unix_socket_directories: socketFolder,
      unix_socket_permissions: '0700',
      logging_collector: 'off',
      log_destination: 'stderr',
    };
    const unsafe = temporary ? { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' } : {};
    const all = Object.entries({ log_checkpoints: 'off', ...unsafe, ...settings, ...ours });
    const args = ['-D', this.dataFolder, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
    return { file: this.#programs.postgres, args, env: this.#env };
  }

  async clearStalePidFile(): Promise<void> {
    if (await isPidFileOfRunning(this.#pidFile, /postgres/)) return;
    await rm(this.#pidFile, { force: true });
    await rm(join(this.#setup.socketFolder, `.s.PGSQL.${this.#port}.lock`), { force: true });
  }

  /** Line 8 of `postmaster.pid` is its state: PostgreSQL's `pidfile.h`. */
  async isReady(pid: number): Promise<boolean> {
    const lines = (await readFile(this.#pidFile, 'utf8').catch(() => '')).split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  }

  isStuck(): boolean {
    return false;
  }

  checkAccess(): Promise<void> {
    return checkFirstConnection(this.title, this.connection, this.#setup);
  }

  probe(): Promise<void> {
    return probe(this.connection);
  }

  pidOnFile(): Promise<number | undefined> {
    return readPidFile(this.#pidFile);
  }

  recognises(commandLine: string): boolean {
    return commandLine.includes(` ${this.#programs.postgres} -D ${this.dataFolder} `);
  }

  explain(lines: readonly string[]): DatabaseError | undefined {
    return matchStartupError(postgresqlStartupErrors(this.#setup), lines);
  }
}

/** The programs, or why there are none, in words that end a sentence. */
async function programsFor(user: RunAs | undefined): Promise<PostgresqlPrograms | string> {
  const programs = findPrograms();
  if (programs === undefined)
    return `the package ${platformPackage} with PostgreSQL for this platform is not installed`;
  if (user === undefined && !hasName())
    return 'PostgreSQL needs a user that has a name in /etc/passwd, and this one has none';
  const who = user === undefined ? 'this user' : `the user ${user.name}, as which PostgreSQL runs under root,`;
  return (await reachablePrograms(programs, user)) ?? `${who} cannot reach ${programs.postgres}`;
}

async function requirePrograms(user: RunAs | undefined): Promise<PostgresqlPrograms> {
  const programs = await programsFor(user);
  if (typeof programs !== 'string') return programs;
  throw new DatabaseError(
    'JIG_DATABASE_SERVER_UNAVAILABLE',
    `PostgreSQL cannot be started: ${programs}. Install it, or choose another database.engine.`,
  );
}

/** A container may run as a number that belongs to nobody; `initdb` refuses that. */
function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/** PostgreSQL from the npm package of this platform: nothing to install. */
export const postgresql: Engine = {
  name: 'postgresql',
  dialect: 'postgresql',
  folder: 'postgresql',

  async unavailable(user) {
    const programs = await programsFor(user);
    return typeof programs === 'string' ? programs : undefined;
  },

  forTests: {
    initialiseArguments: [
      '--no-sync',
      '--wal-segsize=1',
      // Passwords are random, so many iterations would only make each connection slower.
      '--set=scram_iterations=1',
      '--set=fsync=off',
      // Segments of the log that are kept for later would only be copied.
      '--set=min_wal_size=2MB',
      '--set=wal_recycle=off',
      '--set=wal_init_zero=off',
    ],
    // The maps of free space and of visibility are hints: a table without them is read and written as any other, and they come back
    // with VACUUM. They are a quarter of all files.
    isSpare: (file) => /_(?:fsm|vm)$/.test(file),
    settings: {
      fsync: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      autovacuum: 'off',
      shared_buffers: '16MB',
      // Goes with the folder; what a killed server has in /dev/shm would stay there.
      dynamic_shared_memory_type: 'mmap',
    },
  },

  async version(user) {
    const { version } = await requirePrograms(user);
    return { product: 'PostgreSQL', version };
  },

  async server(setup) {
    checkSettingNames(setup.settings);
    const programs = await requirePrograms(setup.user);
    const environment = await libraryEnvironment(programs.native, setup.librariesFolder);
    return new PostgresqlServer(programs, setup, environment);
  },
};
