import { chown, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseError } from '../errors.ts';
import { isPidFileOfRunning } from '../supervisor/process-identity.ts';
import type { ServerCommand, StopStep } from '../supervisor/server-process.ts';
import { BaseServer, type StartupErrorPattern } from './base-server.ts';
import { type Engine, type EngineVersion, ownName, type ServerSetup } from './engine.ts';
import {
  libraryEnvironment,
  type PostgresqlPrograms,
  programsFor,
  requirePrograms,
  type WantedPostgresql,
} from './postgresql-programs.ts';
import { postgresqlStartupErrors } from './postgresql-startup-errors.ts';

const product = 'PostgreSQL';
/** PostgreSQL names its socket by a port, even where it listens on none. */
const usualPort = 5432;

/** SIGTERM would wait for every client to leave, so it begins with the fast shutdown. */
const fastShutdown: readonly StopStep[] = [
  { signal: 'SIGINT', timeoutMs: 5000 },
  { signal: 'SIGQUIT', timeoutMs: 2000 },
];

/** Tests stop a server right after `pool.end()` of pg, which does not wait for its connections; cutting them off would be an uncaught error. */
const leave: StopStep = { signal: 'SIGTERM', timeoutMs: 500 };

class PostgresqlServer extends BaseServer {
  readonly runsByDescriptor = true;
  readonly stopSteps: readonly StopStep[];
  readonly deathSignal = 'SIGINT';
  readonly #programs: PostgresqlPrograms;
  readonly #env: Readonly<Record<string, string>>;
  readonly #locale: string | undefined;
  readonly #port: number;

  constructor(
    programs: PostgresqlPrograms,
    setup: ServerSetup,
    env: Readonly<Record<string, string>>,
    locale: string | undefined,
  ) {
    const port = setup.port === 0 ? usualPort : setup.port;
    const pidFile = join(setup.dataFolder, 'postmaster.pid');
    super({ product, version: programs.version }, setup, {
      dialect: 'postgresql',
      socket: setup.socketFolder,
      port,
      pidFile,
    });
    this.#programs = programs;
    this.#locale = locale;
    this.#env = env;
    this.#port = port;
    this.stopSteps = [...(setup.temporary ? [leave] : []), ...fastShutdown];
  }

  get #major(): number {
    return Number.parseInt(this.version, 10);
  }

  protected async writer(): Promise<EngineVersion | undefined> {
    const written = await readFile(join(this.dataFolder, 'PG_VERSION'), 'utf8').catch(() => undefined);
    return written === undefined ? undefined : { product, version: written.trim() };
  }

  protected startupErrors(): readonly StartupErrorPattern[] {
    return postgresqlStartupErrors(this.setup);
  }

  async initialise(folder: string, run: (command: ServerCommand) => Promise<void>): Promise<void> {
    const passwordFile = `${folder}.password`;
    const { user } = this.setup;
    try {
      await writeFile(passwordFile, this.setup.password, { mode: 0o600, flag: 'wx' });
      if (user !== undefined) await chown(passwordFile, user.uid, user.gid);
      const locale = ['--encoding=UTF8', ...localeArguments(this.#major, this.#locale)];
      const access = [`--username=${ownName}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
      await run({
        file: this.#programs.initdb,
        args: ['-D', folder, ...access, ...locale, '--no-instructions', ...this.#initialiseArguments()],
        env: this.#env,
      });
      const single = (database: string, input: string): ServerCommand => ({
        file: this.#programs.postgres,
        // Without the setting, a statement that fails is no failure of the program.
        args: ['--single', '-c', 'exit_on_error=on', '-D', folder, database],
        env: this.#env,
        input,
      });
      const strategy = this.#major >= firstWith.strategies ? ' STRATEGY file_copy' : '';
      await run(single('postgres', `CREATE DATABASE ${ownName}${strategy}\n`));
      // Ends with a failure unless the database is there. A template is started before it is used, which shows the same.
      if (this.setup.initialiseArguments?.length === 0) await run(single(ownName, ''));
    } finally {
      await rm(passwordFile, { force: true });
    }
  }

  /** Settings can be given to `initdb` only in newer versions, and only those that it knows. */
  #initialiseArguments(): readonly string[] {
    const all = this.setup.initialiseArguments ?? [];
    return this.#major >= firstWith.initdbSettings ? all : all.filter((argument) => !argument.startsWith('--set='));
  }

  command(): ServerCommand {
    const { settings, temporary, port, socketFolder } = this.setup;
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
    if (await isPidFileOfRunning(this.pidFile, /postgres/)) return;
    await rm(this.pidFile, { force: true });
    await rm(join(this.setup.socketFolder, `.s.PGSQL.${this.#port}.lock`), { force: true });
  }

  /** Line 8 of `postmaster.pid` is its state: PostgreSQL's `pidfile.h`. */
  async isReady(pid: number): Promise<boolean> {
    const lines = (await readFile(this.pidFile, 'utf8').catch(() => '')).split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  }

  isStuck(): boolean {
    return false;
  }

  recognises(commandLine: string): boolean {
    return commandLine.includes(` ${this.#programs.postgres} -D ${this.dataFolder} `);
  }
}

/** The major versions that brought something. */
const firstWith = { icu: 15, strategies: 15, initdbSettings: 16, builtinLocale: 17 };

/** Without a locale, texts are compared by code points, in the same way everywhere. */
function localeArguments(major: number, locale: string | undefined): readonly string[] {
  if (locale === undefined)
    return major >= firstWith.builtinLocale
      ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
      : [`--locale=${process.platform === 'linux' ? 'C.UTF-8' : 'C'}`];
  if (major >= firstWith.icu) return ['--locale-provider=icu', `--icu-locale=${locale}`, '--locale=C'];
  throw new DatabaseError(
    'JIG_DATABASE_OPTION_INVALID',
    `The option locale needs PostgreSQL ${firstWith.icu} or newer, but this is PostgreSQL ${major}.`,
  );
}

/** What is asked of PostgreSQL before it is initialised. */
export interface PostgresqlOptions extends WantedPostgresql {
  /** By which texts are compared, as `en-US`. */
  readonly locale?: string | undefined;
}

/** PostgreSQL from the npm package of this platform, with nothing to install, or that of the machine. */
export function postgresqlEngine({ locale, ...wanted }: PostgresqlOptions = {}): Engine {
  return {
    name: 'postgresql',
    dialect: 'postgresql',
    folder: 'postgresql',
    variant: { locale, programs: wanted.programs },

    async unavailable(user) {
      const programs = await programsFor(wanted, user);
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

    // The defaults of PostgreSQL, in the place of what a temporary database has.
    production: {
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      wal_level: 'replica',
      max_wal_senders: '10',
      autovacuum: 'on',
      shared_buffers: '128MB',
      wal_recycle: 'on',
      wal_init_zero: 'on',
    },

    tlsSettings: ({ certificate, key }) => ({ ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key }),

    async version(user) {
      const { version } = await requirePrograms(wanted, user);
      return { product, version };
    },

    async server(setup) {
      const programs = await requirePrograms(wanted, setup.user);
      const environment = await libraryEnvironment(programs.native, setup.librariesFolder);
      return new PostgresqlServer(programs, setup, environment, locale);
    },
  };
}

/** The one that comes along. */
export const postgresql = postgresqlEngine();
