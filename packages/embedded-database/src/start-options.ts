import { isDatabaseName } from './databases/database-admin.ts';
import { type Engine, ownName } from './engines/engine.ts';
import { mariadb, mysql } from './engines/mysql.ts';
import { postgresql, postgresqlEngine } from './engines/postgresql.ts';
import { DatabaseError, optionInvalid } from './errors.ts';
import type { Migrations } from './migrations/run-migrations.ts';
import { toPath } from './supervisor/folders.ts';
import type { RunAs } from './supervisor/run-as.ts';

export const engines = { postgresql, mysql, mariadb } as const;

export interface StartDatabaseOptions {
  /** Default: `postgresql`, which comes along. MySQL and MariaDB are looked for on the `PATH`. */
  readonly engine?: keyof typeof engines | undefined;
  /** The version that must be there, such as `18` or `18.4`. PostgreSQL is looked for in npm packages and on the machine. */
  readonly version?: string | number | undefined;
  /** The folder of the programs `postgres` and `initdb`, for a PostgreSQL of your own with its extensions. */
  readonly programs?: string | URL | undefined;
  /** The language that texts are compared by, such as `en-US`. Default: none, they are compared by code points. PostgreSQL only. */
  readonly locale?: string | undefined;
  /** `production`: the server waits for the disk and vacuums, as a server in production does. Default: it is fast. */
  readonly preset?: 'production' | undefined;
  /** Where the data is kept. Default: a temporary folder, removed at the end. */
  readonly folder?: string | URL | undefined;
  /** On the loopback address. Default: any free port. `false`: none, the socket only. */
  readonly port?: number | false | undefined;
  /** Settings of the server by its own names, such as `{ work_mem: '64MB' }`. */
  readonly settings?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** An SQL file, a folder of them, or a function. They run once; `clone()` copies the result. */
  readonly migrations?: Migrations | undefined;
  /** As `migrations`, run after them: the rows that every test begins with. */
  readonly seed?: Migrations | undefined;
  /** Called with what the server prints, and with its changes of state. */
  readonly log?: ((line: string) => void) | undefined;
  /** Stops the start, or the server when it runs. */
  readonly signal?: AbortSignal | undefined;
  /** In milliseconds. Default: 60,000. */
  readonly startTimeout?: number | undefined;
  /** The user of `url`, who may do everything. Default: `jig`. PostgreSQL also has the superuser `postgres`, with the same password. */
  readonly user?: string | undefined;
  /** Of the user. Default: a random one. */
  readonly password?: string | undefined;
  /** The name of the main database. Default: `jig`. */
  readonly database?: string | undefined;
  /** Whether the server takes TLS too, with a certificate that is made for it. */
  readonly ssl?: boolean | undefined;
  /** As whom the server runs when you are root, which servers refuse. Default: `nobody`. */
  readonly runAs?: string | undefined;
}

/** The options of a start, known to be right. */
export interface StartPlan {
  readonly engine: Engine;
  /** 0: the socket only. */
  readonly port: number | 'any';
  readonly settings: Readonly<Record<string, string>>;
  /** In milliseconds. */
  readonly startTimeout: number;
  readonly runAs: string;
  readonly names: DatabaseNames;
  /** Throws when the version that was asked for is not there. */
  checkVersion(user: RunAs | undefined): Promise<void>;
}

export function planStart(options: StartDatabaseOptions): StartPlan {
  const {
    engine = 'postgresql',
    version,
    port,
    settings = {},
    startTimeout = 60_000,
    runAs = 'nobody',
    preset,
  } = options;
  if (!Object.hasOwn(engines, engine))
    throw invalid(`engine must be ${Object.keys(engines).join(', ')}, not ${JSON.stringify(engine)}`);
  if (version !== undefined && !/^\d+(?:\.\d+){0,2}$/.test(String(version)))
    throw invalid(`version must be a number such as 18 or 18.4, not ${JSON.stringify(version)}`);
  if (typeof port === 'number' && !(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw invalid(`port must be a whole number up to 65535, or false for none, not ${port}`);
  if (preset !== undefined && preset !== 'production')
    throw invalid(`preset must be production, or left out, not ${JSON.stringify(preset)}`);
  if (!(startTimeout > 0)) throw invalid(`startTimeout must be a number of milliseconds, not ${startTimeout}`);
  if (process.platform === 'win32')
    throw new DatabaseError(
      'JIG_DATABASE_SERVER_UNAVAILABLE',
      'Database servers are started on Linux and macOS only. On Windows, use WSL 2, or connectDatabase() with a server that runs elsewhere.',
    );
  const chosen = chooseEngine(options);
  return {
    engine: chosen,
    port: port === false ? 0 : port || 'any',
    settings: {
      ...(preset === undefined ? {} : chosen.production),
      ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, settingText(value)])),
    },
    startTimeout,
    runAs,
    names: namesOf(options),
    checkVersion: async (runner) => {
      if (version !== undefined) checkVersion(String(version), await chosen.version(runner));
    },
  };
}

/** A PostgreSQL as it was asked for, or the one server that there is of the others. */
function chooseEngine({ engine = 'postgresql', version, programs, locale }: StartDatabaseOptions): Engine {
  if (engine === 'postgresql')
    return postgresqlEngine({
      fromElsewhere: true,
      version: version?.toString(),
      programs: programs === undefined ? undefined : toPath(programs),
      locale: locale === undefined ? undefined : canonicalLocale(locale),
    });
  const [option] = Object.entries({ programs, locale }).find(([, value]) => value !== undefined) ?? [];
  if (option !== undefined) throw invalid(`${option} is for PostgreSQL, and the engine is ${engine}`);
  return engines[engine];
}

function canonicalLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? locale;
  } catch {
    throw invalid(`locale must be a language tag such as en-US, not ${JSON.stringify(locale)}`);
  }
}

/** Who may connect to a new database, and what it is called. */
export interface DatabaseNames {
  readonly user: string;
  /** Undefined for the one that the data has, or a random one. */
  readonly password: string | undefined;
  readonly database: string;
}

const reservedNames = ['template0', 'template1', 'jig_template'];

function namesOf({ user = ownName, password, database = ownName }: StartDatabaseOptions): DatabaseNames {
  if (password === '') throw invalid('password must not be empty');
  for (const [option, name] of Object.entries({ user, database }))
    if (!isDatabaseName(name) || reservedNames.includes(name))
      throw invalid(
        `${option} must be a name of letters, digits, _ and -, at most 63 bytes, not ${JSON.stringify(name)}`,
      );
  return { user, password, database };
}

const settingText = (value: string | number | boolean) =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);

function checkVersion(wanted: string, { product, version }: Awaited<ReturnType<Engine['version']>>): void {
  if (`${version}.`.startsWith(`${wanted}.`)) return;
  throw new DatabaseError(
    'JIG_DATABASE_VERSION_UNAVAILABLE',
    `${product} ${wanted} was asked for, but ${product} ${version} is installed. Install that version, or ask for this one.`,
    { fields: { wanted, version } },
  );
}

const invalid = (sentence: string) => optionInvalid(`The option ${sentence}.`);

/** The settings of the host, by which the supervisor speaks of them, and the options of `startDatabase`. */
const optionNames: readonly (readonly [RegExp, string])[] = [
  [/\bdatabase\.serverSettings\b/g, 'settings'],
  [/\bdatabase\.user\b/g, 'runAs'],
  [/\bdatabase\.(port|engine|startTimeout)\b/g, '$1'],
  [/ of (port|runAs)\b/g, ''],
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
