import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseError } from '../errors.ts';
import { lacksGlibc, platformPackage, programsOfPackage, reachablePrograms } from './package-programs.ts';
import type { RunAs } from './run-as.ts';

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
  /** Whether PostgreSQL of the project or of the machine may be used; not for an application whose data is kept. */
  readonly fromElsewhere?: boolean;
}

/** The oldest major version that is still maintained. */
const oldest = 15;

/** Finds programs that the current user can run, or under root the user that servers run as. */
export async function requirePrograms(wanted: WantedPostgresql, user: RunAs | undefined): Promise<PostgresqlPrograms> {
  const { version, programs: folder, fromElsewhere = false } = wanted;
  if (user === undefined && !hasName())
    throw unavailable(version, 'it needs a user that has a name in /etc/passwd, and this one has none');
  const versions = new Set<string>();
  for await (const programs of findPostgresql(wanted)) {
    if (version !== undefined && !`${programs.version}.`.startsWith(`${version}.`)) {
      versions.add(programs.version);
      continue;
    }
    const reachable = await reachablePrograms(programs, user);
    if (reachable !== undefined) return reachable;
    const who = user === undefined ? 'this user' : `the user ${user.name}, as which PostgreSQL runs under root,`;
    throw unavailable(version, `${who} cannot reach ${programs.postgres}`);
  }
  if (versions.size > 0)
    throw unavailable(version, `version ${version} was asked for, but ${[...versions].join(' and ')} is installed`);
  if (folder !== undefined) throw unavailable(version, `there is no postgres with its initdb in ${folder}`);
  const advice = fromElsewhere ? ', and no other is on the PATH (Alpine: apk add postgresql)' : '';
  if (lacksGlibc())
    throw unavailable(version, `PostgreSQL of npm needs glibc, which this system does not have${advice}`);
  throw unavailable(version, `the package ${platformPackage} with PostgreSQL for this platform is not installed`);
}

function unavailable(version: string | undefined, why: string): DatabaseError {
  const [major = '18'] = version?.split('.') ?? [];
  return new DatabaseError(
    'JIG_DATABASE_SERVER_UNAVAILABLE',
    `PostgreSQL cannot be started: ${why}. Install it (${platformPackage}@${major} of npm, or postgresql-${major} of your system), name the folder of its programs, or set DATABASE_URL to a database elsewhere.`,
  );
}

/** A container may run as a uid that is not in /etc/passwd, which `initdb` refuses. */
function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/** Yields the included PostgreSQL, that of the project's dependencies, then those on the PATH; or only that in the given folder. */
async function* findPostgresql({
  programs,
  fromElsewhere = false,
}: WantedPostgresql): AsyncGenerator<PostgresqlPrograms> {
  if (programs === undefined && !lacksGlibc())
    for (const from of [import.meta.url, ...(fromElsewhere ? [join(process.cwd(), 'package.json')] : [])]) {
      const found = programsOfPackage(from);
      if (found !== undefined) yield found;
    }
  const onPath = fromElsewhere ? (process.env.PATH ?? '').split(delimiter) : [];
  for (const folder of programs === undefined ? onPath : [programs, join(programs, 'bin')]) {
    const found = await programsOfMachine(folder);
    if (found !== undefined) yield found;
  }
}

async function programsOfMachine(folder: string): Promise<PostgresqlPrograms | undefined> {
  const [postgres, initdb] = [join(folder, 'postgres'), join(folder, 'initdb')];
  if (!existsSync(postgres) || !existsSync(initdb)) return undefined;
  const printed = await promisify(execFile)(postgres, ['--version'], { cwd: '/' }).catch(() => ({ stdout: '' }));
  const [, version] = /\(PostgreSQL\) (\d+(?:\.\d+)?)/.exec(printed.stdout) ?? [];
  if (version === undefined || Number.parseInt(version, 10) < oldest) return undefined;
  return { postgres, initdb, version };
}
