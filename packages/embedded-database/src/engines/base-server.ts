import { isDiskFull } from '../connection/connection-errors.ts';
import type { ConnectionOptions } from '../connection/connection-options.ts';
import { probe } from '../connection/probe.ts';
import { DatabaseError, type DatabaseErrorCode, diskFullSentence } from '../errors.ts';
import { readPidFile } from '../supervisor/process-identity.ts';
import type { ServerCommand, StopStep } from '../supervisor/server-process.ts';
import { type EngineServer, type EngineVersion, ownName, type ServerSetup } from './engine.ts';

/** A pattern in the output of a server and the error to report. The message may use the groups of the match. */
export interface StartupErrorPattern {
  readonly pattern: RegExp;
  readonly code: DatabaseErrorCode;
  readonly message: (match: RegExpExecArray) => string;
  /** Whether it goes away by itself. */
  readonly isTemporary?: boolean;
}

const settingName = /^[A-Za-z][\w.-]*$/;
const wrongPassword = new Set(['28P01', 'ER_ACCESS_DENIED_ERROR']);
const noDatabase = new Set(['3D000', 'ER_BAD_DB_ERROR']);

/** What the servers of all engines have in common. */
export abstract class BaseServer implements EngineServer {
  abstract readonly runsByDescriptor: boolean;
  abstract readonly stopSteps: readonly StopStep[];
  abstract readonly deathSignal: NodeJS.Signals;
  readonly product: string;
  readonly version: string;
  readonly dataFolder: string;
  connection: ConnectionOptions;
  protected readonly setup: ServerSetup;
  protected readonly pidFile: string;

  constructor(
    { product, version }: EngineVersion,
    setup: ServerSetup,
    { pidFile, ...way }: Pick<ConnectionOptions, 'dialect' | 'socket' | 'port'> & { readonly pidFile: string },
  ) {
    const wrong = Object.keys(setup.settings).find((name) => !settingName.test(name));
    // They become arguments, so they must look like names.
    if (wrong !== undefined)
      throw new DatabaseError(
        'JIG_DATABASE_SETTING_REFUSED',
        `The database server does not accept the setting "${wrong}" of database.serverSettings. Correct or remove it.`,
        { fields: { setting: wrong } },
      );
    this.product = product;
    this.version = version;
    this.setup = setup;
    this.pidFile = pidFile;
    this.dataFolder = setup.dataFolder;
    this.connection = { ...way, user: ownName, password: setup.password, database: ownName };
  }

  abstract initialise(folder: string, run: (command: ServerCommand) => Promise<void>): Promise<void>;
  abstract command(): ServerCommand;
  abstract clearStalePidFile(): Promise<void>;
  abstract isReady(pid: number, lines: readonly string[]): Promise<boolean>;
  abstract isStuck(lines: readonly string[]): boolean;
  abstract recognises(commandLine: string): boolean;
  /** Which server wrote the data, of which the first number counts; undefined when none of this engine did. */
  protected abstract writer(): Promise<EngineVersion | undefined>;
  /** The first match wins, so specific patterns come before general ones. */
  protected abstract startupErrors(): readonly StartupErrorPattern[];

  get title(): string {
    return `${this.product} ${this.version}`;
  }

  async checkData(): Promise<void> {
    const { dataFolder, title } = this;
    const writer = await this.writer();
    if (writer === undefined)
      throw new DatabaseError(
        'JIG_DATABASE_FOLDER_FOREIGN',
        `The folder ${dataFolder} holds something that is no ${this.product} database. It is untouched; move it away or choose another JIG_HOME.`,
        { fields: { folder: dataFolder } },
      );
    if (writer.product === this.product && writer.version.split('.')[0] === this.version.split('.')[0]) return;
    const written = `${writer.product} ${writer.version}`;
    throw new DatabaseError(
      'JIG_DATABASE_VERSION_DIFFERS',
      `The data in ${dataFolder} was written by ${written}, but this is ${title}. The data is untouched; dump it with the old version and load it into the new one.`,
      { fields: { folder: dataFolder, written, version: title } },
    );
  }

  /** Connects as the application will, so that a wrong password is reported at the start. */
  async checkAccess(): Promise<void> {
    const { dataFolder: folder, title } = this;
    const { passwordFile: file } = this.setup;
    try {
      await this.probe();
    } catch (cause) {
      const { code = '' } = cause as { code?: string };
      if (wrongPassword.has(code))
        throw new DatabaseError(
          'JIG_DATABASE_PASSWORD_WRONG',
          `${title} does not accept the password in ${file}: the data in ${folder} was made with another. Restore that file from the backup that the data is from; the data is untouched.`,
          { cause, fields: { file, folder } },
        );
      if (noDatabase.has(code))
        throw new DatabaseError(
          'JIG_DATABASE_DAMAGED',
          `The data in ${folder} has no database "${ownName}": making it was cut short, or somebody removed it. Restore the folder from a backup, or move it away if nothing was kept in it.`,
          { cause, fields: { folder } },
        );
      if (isDiskFull(cause))
        throw new DatabaseError('JIG_DATABASE_DISK_FULL', diskFullSentence(`database folder ${folder}`), {
          cause,
          fields: { folder },
        });
      // A server that is only slow is left to the prober.
    }
  }

  probe(): Promise<void> {
    return probe(this.connection);
  }

  pidOnFile(): Promise<number | undefined> {
    return readPidFile(this.pidFile);
  }

  explain(lines: readonly string[]): DatabaseError | undefined {
    const said = lines.join('\n');
    for (const { pattern, code, message, isTemporary = false } of this.startupErrors()) {
      const match = pattern.exec(said);
      if (match !== null) return new DatabaseError(code, message(match), { isTemporary });
    }
    return undefined;
  }
}

/** What every server complains of in words of its own; the groups of `setting` name the setting. */
export function usualErrors(
  { dataFolder, port }: ServerSetup,
  words: Readonly<Record<'diskFull' | 'portTaken' | 'setting' | 'denied', RegExp>>,
): { readonly usual: readonly StartupErrorPattern[]; readonly denied: StartupErrorPattern } {
  const usual: readonly StartupErrorPattern[] = [
    {
      pattern: /(error while loading shared libraries: [^\n]+|failed to execute [^\n]+|[^\n]+: not found)/,
      code: 'JIG_DATABASE_SERVER_UNAVAILABLE',
      message: ([said]) =>
        `The database server does not run on this machine: ${said}. Install what is missing, or choose another database.engine.`,
    },
    {
      pattern: words.diskFull,
      code: 'JIG_DATABASE_DISK_FULL',
      message: () => diskFullSentence(`database folder ${dataFolder}`),
    },
    {
      pattern: words.portTaken,
      code: 'JIG_DATABASE_PORT_TAKEN',
      message: () => `The port ${port} of database.port is taken. Choose another, or 0 for the socket only.`,
    },
    {
      pattern: words.setting,
      code: 'JIG_DATABASE_SETTING_REFUSED',
      message: ([said, ...names]) =>
        `The database server does not accept the setting "${names.find(Boolean)}" of database.serverSettings: ${said}. Correct or remove it.`,
    },
  ];
  const denied: StartupErrorPattern = {
    pattern: words.denied,
    code: 'JIG_DATABASE_FOLDER_UNUSABLE',
    message: ([said]) =>
      `The database server may not use its folder ${dataFolder}: ${said}. Give access to it, or choose another with JIG_HOME.`,
  };
  return { usual, denied };
}
