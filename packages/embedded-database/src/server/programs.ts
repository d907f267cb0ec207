import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseError } from '../errors.ts';
import { lacksGlibc, platformPackage, programsOfPackage, reachablePrograms } from './package-programs.ts';
import type { RunAs } from './run-as.ts';

const run = promisify(execFile);

/** Programs of PostgreSQL: those of an npm package, or those that are installed on the machine. */
export interface PostgresqlPrograms {
  readonly postgres: string;
  readonly initdb: string;
  readonly version: string;
  /** The folder of the npm package that they are in; undefined for those of the machine. */
  readonly native?: string;
}

/** The requested PostgreSQL. */
export interface WantedPostgresql {
  /** Such as 18 or 18.4. Default: the included one. */
  readonly version?: string | undefined;
  /** The folder that the programs are in. */
  readonly programs?: string | undefined;
  /** Whether PostgreSQL of the machine may be used; not for an application whose data is kept. */
  readonly fromElsewhere?: boolean;
}

/** The oldest major version that PostgreSQL still maintains. */
const oldest = 15;

/** Programs that this user, or the one that servers run as under root, can run. */
export async function requirePrograms(wanted: WantedPostgresql, user: RunAs | undefined): Promise<PostgresqlPrograms> {
  if (user === undefined && !hasName())
    throw unavailable(wanted, 'it needs a user that has a name in /etc/passwd, and this one has none');
  const { version } = wanted;
  const others = new Set<string>();
  let unreachable: string | undefined;
  for await (const programs of findPostgresql(wanted)) {
    if (version !== undefined && !`${programs.version}.`.startsWith(`${version}.`)) {
      others.add(programs.version);
      continue;
    }
    const reachable = await reachablePrograms(programs, user);
    if (reachable !== undefined) return reachable;
    unreachable ??= programs.postgres;
  }
  if (unreachable !== undefined) {
    const who = user === undefined ? 'this user' : `the user ${user.name}, as which PostgreSQL runs under root,`;
    throw unavailable(wanted, `${who} cannot reach ${unreachable}`);
  }
  if (others.size === 0) throw unavailable(wanted, whyNone(wanted));
  throw unavailable(wanted, `version ${version} was asked for, but ${[...others].join(' and ')} is installed`);
}

function whyNone({ programs, fromElsewhere = false }: WantedPostgresql): string {
  if (programs !== undefined) return `there is no postgres with its initdb in ${programs}`;
  if (!lacksGlibc()) return `the package ${platformPackage} with PostgreSQL for this platform is not installed`;
  const advice = fromElsewhere ? ', and no other is installed (Alpine: apk add postgresql)' : '';
  return `PostgreSQL of npm needs glibc, which this system does not have${advice}`;
}

function unavailable({ version }: WantedPostgresql, why: string): DatabaseError {
  const [major = '18'] = version?.split('.') ?? [];
  return new DatabaseError(
    'JIG_DATABASE_SERVER_UNAVAILABLE',
    `PostgreSQL cannot be started: ${why}. Install it (${platformPackage}@${major} of npm, or postgresql-${major} of your system), name the folder of its programs, or set DATABASE_URL to a database elsewhere.`,
  );
}

/** A container may run as a uid without a user, which `initdb` refuses. */
function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/** The included one, then that of the project's dependencies, then those of the machine, the newest first. */
async function* findPostgresql({
  programs,
  fromElsewhere = false,
}: WantedPostgresql): AsyncGenerator<PostgresqlPrograms> {
  if (programs !== undefined) {
    for (const folder of [programs, join(programs, 'bin')]) yield* programsOfMachine(folder);
    return;
  }
  if (!lacksGlibc())
    for (const from of [import.meta.url, ...(fromElsewhere ? [join(process.cwd(), 'package.json')] : [])]) {
      const found = programsOfPackage(from);
      if (found !== undefined) yield found;
    }
  if (fromElsewhere) for (const folder of await foldersOfMachine()) yield* programsOfMachine(folder);
}

async function* programsOfMachine(folder: string): AsyncGenerator<PostgresqlPrograms> {
  const [postgres, initdb] = [join(folder, 'postgres'), join(folder, 'initdb')];
  if (!existsSync(postgres) || !existsSync(initdb)) return;
  const printed = await run(postgres, ['--version'], { cwd: '/' }).catch(() => ({ stdout: '' }));
  const [, version] = /\(PostgreSQL\) (\d+(?:\.\d+)?)/.exec(printed.stdout) ?? [];
  if (version !== undefined && Number.parseInt(version, 10) >= oldest) yield { postgres, initdb, version };
}

/** Where Debian, Red Hat, Alpine and Homebrew install each version: the path before and after the version. */
const versionFolders = [
  ['/usr/lib/postgresql', 'bin'],
  ['/usr', 'bin'],
  ['/usr/libexec', ''],
  ['/opt/homebrew/opt', 'bin'],
  ['/usr/local/opt', 'bin'],
] as const;

async function foldersOfMachine(): Promise<readonly string[]> {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
  const { compare } = new Intl.Collator('en', { numeric: true });
  const others = versionFolders.map(async ([folder, within]) => {
    const names = (await readdir(folder).catch(() => [])).filter((name) => /^(?:pgsql-|postgresql@?)?\d+$/.test(name));
    return names.sort((one, other) => compare(other, one)).map((name) => join(folder, name, within));
  });
  return [...onPath, ...(await Promise.all(others)).flat()];
}
