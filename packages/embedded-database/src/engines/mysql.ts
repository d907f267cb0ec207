import { chown, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseError } from '../errors.ts';
import { readJson } from '../supervisor/folders.ts';
import { isPidFileOfRunning } from '../supervisor/process-identity.ts';
import type { RunAs } from '../supervisor/run-as.ts';
import type { ServerCommand, StopStep } from '../supervisor/server-process.ts';
import { BaseServer, type StartupErrorPattern } from './base-server.ts';
import { type Engine, ownName, type ServerSetup } from './engine.ts';
import { mysqlStartupErrors } from './mysql-startup-errors.ts';
import { canRun, findProgram, versionOf } from './program.ts';

/** MySQL and MariaDB run alike, but are initialised differently. */
interface Flavour {
  readonly product: 'MariaDB' | 'MySQL';
  readonly version: string;
}

/** Debian's `mysqld` is MariaDB, so the name of the program tells nothing: only `--version` does. */
export function flavourOf(printed: string): Flavour {
  const product = /MariaDB/i.test(printed) ? 'MariaDB' : 'MySQL';
  return { product, version: /\d+\.\d+\.\d+/.exec(printed)?.[0] ?? printed };
}

interface Programs {
  readonly server: string;
  /** MariaDB only. */
  readonly installer: string | undefined;
}

/** The commands that make a new database in the folder; the statements are read from standard input or a file, since they hold the password. */
export function initialisation(
  { product }: Flavour,
  { server, installer }: Programs,
  folder: string,
  statements: { readonly text: string; readonly file: string },
): readonly ServerCommand[] {
  const data = ['--no-defaults', `--datadir=${folder}`];
  if (product === 'MySQL')
    return [{ file: server, args: [...data, '--initialize-insecure', `--init-file=${statements.file}`] }];
  // Several that begin at the same time would take the temporary tables of each other away.
  const alone = [...data, `--tmpdir=${folder}`];
  return [
    { file: installer ?? 'mariadb-install-db', args: [...alone, '--skip-test-db', '--skip-name-resolve'] },
    { file: server, args: [...alone, '--bootstrap'], input: statements.text },
  ];
}

/** Records which server made the data: its own files do not say so reliably. */
const mark = 'jig-engine.json';

class MysqlServer extends BaseServer {
  readonly runsByDescriptor = false;
  readonly stopSteps: readonly StopStep[] = [{ signal: 'SIGTERM', timeoutMs: 7000 }];
  readonly deathSignal = 'SIGTERM';
  readonly #programs: Programs;
  readonly #flavour: Flavour;
  readonly #socket: string;

  constructor(programs: Programs, setup: ServerSetup, flavour: Flavour) {
    const socket = join(setup.socketFolder, 'mysqld.sock');
    super(flavour, setup, { dialect: 'mysql', socket, pidFile: join(setup.socketFolder, 'mysqld.pid') });
    this.#programs = programs;
    this.#flavour = flavour;
    this.#socket = socket;
  }

  protected writer(): Promise<Flavour | undefined> {
    return readJson(join(this.dataFolder, mark));
  }

  protected startupErrors(): readonly StartupErrorPattern[] {
    return mysqlStartupErrors(this.setup);
  }

  async initialise(folder: string, run: (command: ServerCommand) => Promise<void>): Promise<void> {
    const { user } = this.setup;
    const statements = { text: this.#statements(), file: `${folder}.sql` };
    try {
      await writeFile(statements.file, statements.text, { mode: 0o600, flag: 'wx' });
      if (user !== undefined) await chown(statements.file, user.uid, user.gid);
      for (const command of initialisation(this.#flavour, this.#programs, folder, statements)) await run(command);
    } finally {
      await rm(statements.file, { force: true });
    }
    // Each database is a folder; a program that failed to make it may still have ended well.
    if (!(await readdir(folder)).includes(ownName))
      throw new DatabaseError(
        'JIG_DATABASE_INITIALISATION_FAILED',
        `A new database could not be made: ${this.title} ended well, but there is no database "${ownName}".`,
      );
    await writeFile(join(folder, mark), JSON.stringify(this.#flavour));
  }

  command(): ServerCommand {
    const { settings, temporary, port, socketFolder } = this.setup;
    const network = port === 0 ? ['--skip-networking'] : ['--bind-address=127.0.0.1', `--port=${port}`];
    const unsafe = temporary ? ['--innodb-flush-log-at-trx-commit=0', '--skip-innodb-doublewrite'] : [];
    const ours = [`--socket=${this.#socket}`, `--pid-file=${this.pidFile}`, `--tmpdir=${socketFolder}`];
    const theirs = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
    const data = ['--no-defaults', `--datadir=${this.dataFolder}`];
    const args = [...data, '--skip-name-resolve', '--skip-log-bin', ...unsafe, ...theirs, ...network, ...ours];
    return { file: this.#programs.server, args };
  }

  async clearStalePidFile(): Promise<void> {
    if (!(await isPidFileOfRunning(this.pidFile, /mysqld|mariadbd/))) await rm(this.pidFile, { force: true });
  }

  /** The X plugin of MySQL says nearly the same before the server itself does. */
  async isReady(_pid: number, lines: readonly string[]): Promise<boolean> {
    return lines.some((line) => /(?:mysqld|mariadbd)\S*: ready for connections/.test(line));
  }

  /** MariaDB waits for room on a full disk, and looks once a minute. */
  isStuck(lines: readonly string[]): boolean {
    return lines.some((line) => line.includes('Waiting for someone to free space'));
  }

  recognises(commandLine: string): boolean {
    return commandLine.includes(` ${this.#programs.server} --no-defaults --datadir=${this.dataFolder} `);
  }

  /** The generated password has no character that would need quoting. */
  #statements(): string {
    const users = [`'${ownName}'@'localhost'`, `'${ownName}'@'127.0.0.1'`];
    const lines = [
      `CREATE DATABASE ${ownName} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;`,
      ...users.map((user) => `CREATE USER ${user} IDENTIFIED BY '${this.setup.password}';`),
      ...users.map((user) => `GRANT ALL PRIVILEGES ON *.* TO ${user} WITH GRANT OPTION;`),
    ];
    // MariaDB bootstraps without its tables of rights; MySQL leaves a root without a password.
    if (this.product === 'MariaDB') lines.unshift('FLUSH PRIVILEGES;');
    else lines.push(`ALTER USER 'root'@'localhost' ACCOUNT LOCK;`);
    return `${lines.join('\n')}\n`;
  }
}

const installers = ['mariadb-install-db', 'mysql_install_db'];

/** Debian's `mysqld` is MariaDB: somebody who asks for MySQL must not get that. */
function engineOf(product: Flavour['product'], servers: readonly string[]): Engine {
  const name = product === 'MySQL' ? 'mysql' : 'mariadb';
  const missing = `${servers.join(' or ')} is not on the PATH`;

  async function find(user: RunAs | undefined): Promise<{ server: string; flavour: Flavour }> {
    const server = await findProgram(servers);
    if (server === undefined) throw unavailable(missing);
    const flavour = flavourOf(await versionOf(server, user));
    if (flavour.product === product) return { server, flavour };
    const other = flavour.product === 'MySQL' ? 'mysql' : 'mariadb';
    throw unavailable(`${server} is ${flavour.product} ${flavour.version}, which the engine ${other} runs`);
  }

  function unavailable(why: string): DatabaseError {
    const sentence = `${product} cannot be started: ${why}. Install ${product}, or choose another database.engine.`;
    return new DatabaseError('JIG_DATABASE_SERVER_UNAVAILABLE', sentence);
  }

  return {
    name,
    dialect: 'mysql',
    folder: 'mysql',

    async unavailable(user) {
      const server = await findProgram(servers);
      if (server === undefined) return missing;
      return (await canRun(server, user)) ? undefined : `the user that runs the server cannot reach ${server}`;
    },

    forTests: {
      initialiseArguments: [],
      settings: {
        'innodb-buffer-pool-size': '16M',
        'innodb-log-file-size': '8M',
      },
    },

    production: { 'innodb-flush-log-at-trx-commit': '1', 'innodb-doublewrite': 'ON' },

    tlsSettings: ({ certificate, key }) => ({ 'ssl-cert': certificate, 'ssl-key': key }),

    async version(user) {
      return (await find(user)).flavour;
    },

    async server(setup) {
      const { server, flavour } = await find(setup.user);
      return new MysqlServer({ server, installer: await findProgram(installers) }, setup, flavour);
    },
  };
}

export const mysql = engineOf('MySQL', ['mysqld']);
export const mariadb = engineOf('MariaDB', ['mariadbd', 'mysqld']);
