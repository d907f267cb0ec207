import { isDatabaseName } from './databases.ts';
import { DatabaseError, optionInvalid } from './errors.ts';
import type { Migrations } from './migrations/run-migrations.ts';
import { ownName } from './server/initialise.ts';
import { toPath } from './server/server-folder.ts';

export interface StartDatabaseOptions {
  /** The version, such as `18` or `18.4`, from npm packages or the machine. */
  readonly version?: string | number | undefined;
  /** The folder of the programs `postgres` and `initdb`, for a PostgreSQL of your own with its extensions. */
  readonly programs?: string | URL | undefined;
  /** The collation, such as `en-US`. Default: by code points. */
  readonly locale?: string | undefined;
  /** Where the data is kept. Default: a temporary folder, removed at the end. */
  readonly folder?: string | URL | undefined;
  /** On the loopback address. Default: any free port. */
  readonly port?: number | undefined;
  /** Settings of the server by its own names, such as `{ work_mem: '64MB' }`. */
  readonly settings?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** An SQL file, a folder of them, or a function. They run once; `clone()` copies the result. */
  readonly migrations?: Migrations | undefined;
  /** Like `migrations`, run after them: the rows that every test begins with. */
  readonly seed?: Migrations | undefined;
  /** Called with the server's output and its changes of state. */
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
  /** The user that the server runs as when you are root, which PostgreSQL refuses. Default: `nobody`. */
  readonly runAs?: string | undefined;
}

/** The validated options of a start. */
export type StartPlan = ReturnType<typeof planStart>;

export function planStart(options: StartDatabaseOptions) {
  const { version, programs, locale, port = 0, settings = {}, startTimeout = 60_000, runAs = 'nobody' } = options;
  const { user = ownName, password, database = ownName } = options;
  if (version !== undefined && !/^\d+(?:\.\d+){0,2}$/.test(String(version)))
    throw invalid(`version must be a number such as 18 or 18.4, not ${JSON.stringify(version)}`);
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw invalid(`port must be a whole number up to 65535, not ${port}`);
  if (!(startTimeout > 0)) throw invalid(`startTimeout must be a number of milliseconds, not ${startTimeout}`);
  if (password === '') throw invalid('password must not be empty');
  for (const [option, name] of Object.entries({ user, database }))
    if (!isDatabaseName(name))
      throw invalid(
        `${option} must be a name of letters, digits, _ and -, at most 63 bytes, not ${JSON.stringify(name)}`,
      );
  if (process.platform === 'win32')
    throw new DatabaseError(
      'JIG_DATABASE_SERVER_UNAVAILABLE',
      'Database servers are started on Linux and macOS only. On Windows, use WSL 2, or connectDatabase() with a server that runs elsewhere.',
    );
  return {
    wanted: {
      fromElsewhere: true,
      version: version?.toString(),
      programs: programs === undefined ? undefined : toPath(programs),
    },
    locale: locale === undefined ? undefined : canonicalLocale(locale),
    /** 0 for any free port. */
    port,
    settings: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, settingText(value)])),
    startTimeout,
    runAs,
    user,
    /** Undefined for the password of existing data, otherwise a random one. */
    password,
    database,
  };
}

function canonicalLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? locale;
  } catch {
    throw invalid(`locale must be a language tag such as en-US, not ${JSON.stringify(locale)}`);
  }
}

const settingText = (value: string | number | boolean) =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);

const invalid = (sentence: string) => optionInvalid(`The option ${sentence}.`);
