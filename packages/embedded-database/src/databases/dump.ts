import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { ConnectionOptions } from '../connection/connection-options.ts';
import { databaseAddress } from '../connection/database-address.ts';
import { findProgram } from '../engines/program.ts';
import { DatabaseError, errorMessage } from '../errors.ts';

const versionFolders = '/usr/lib/postgresql';
const mysqlPackages = 'mariadb-client or mysql-client';

/** Writes a database into a file of SQL, by `pg_dump` or `mariadb-dump`. */
export async function dumpDatabase(
  connection: ConnectionOptions,
  version: string | undefined,
  file: string,
): Promise<void> {
  const isPostgresql = connection.dialect === 'postgresql';
  const program = await (isPostgresql
    ? postgresqlProgram('pg_dump', version)
    : requireProgram(['mariadb-dump', 'mysqldump'], mysqlPackages));
  const args = isPostgresql ? ['--no-owner'] : mysqlArguments(connection, '--routines', '--triggers');
  const child = spawn(program, args, { env: environmentOf(connection), stdio: ['ignore', 'pipe', 'pipe'] });
  const written = pipeline(child.stdout, createWriteStream(file, { mode: 0o600 }));
  try {
    await finish(child, program, written);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

/** Runs a file of SQL that `dumpDatabase` wrote, by `psql` or `mariadb`. */
export async function restoreDatabase(connection: ConnectionOptions, file: string): Promise<void> {
  const isPostgresql = connection.dialect === 'postgresql';
  const program = await (isPostgresql
    ? requireProgram(['psql'], 'postgresql-client')
    : requireProgram(['mariadb', 'mysql'], mysqlPackages));
  const args = isPostgresql
    ? ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--output=/dev/null']
    : mysqlArguments(connection);
  const child = spawn(program, args, { env: environmentOf(connection), stdio: ['pipe', 'ignore', 'pipe'] });
  // A program that fails closes its input; what it said tells more.
  const read = pipeline(createReadStream(file), child.stdin).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  await finish(child, program, read);
}

/** The password goes by the environment: everybody can see arguments. */
function environmentOf(connection: ConnectionOptions): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, ...databaseAddress(connection).environment };
}

function mysqlArguments(connection: ConnectionOptions, ...flags: readonly string[]): string[] {
  const { socket, host = '127.0.0.1', port = 3306, user, database } = connection;
  const way = socket === undefined ? [`--host=${host}`, `--port=${port}`] : [`--socket=${socket}`];
  return ['--no-defaults', ...way, `--user=${user}`, ...flags, database];
}

async function finish(child: ReturnType<typeof spawn>, program: string, streamed: Promise<void>): Promise<void> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2000);
  });
  const failed = (why: string, cause?: unknown) =>
    new DatabaseError('JIG_DATABASE_DUMP_FAILED', `${basename(program)} failed: ${why}`, { cause });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const [outcome, end] = await Promise.allSettled([streamed, closed]);
  if (end.status === 'rejected') throw failed(errorMessage(end.reason), end.reason);
  if (end.value[0] !== 0) throw failed(said.trim().replace(/\s+/g, ' ') || `exit code ${end.value[0]}`);
  if (outcome.status === 'rejected') throw failed(errorMessage(outcome.reason), outcome.reason);
}

async function requireProgram(names: readonly string[], packages: string): Promise<string> {
  const program = await findProgram(names);
  if (program !== undefined) return program;
  throw new DatabaseError(
    'JIG_DATABASE_PROGRAM_MISSING',
    `The program ${names.join(' or ')} is not on the PATH. Install it, with the package ${packages} for example.`,
    { fields: { program: names[0] } },
  );
}

/** `pg_dump` refuses servers that are newer than itself; Debian has one folder for each version. */
async function postgresqlProgram(name: string, serverVersion = '0'): Promise<string> {
  const versions = await readdir(versionFolders).catch(() => []);
  const onPath = await findProgram([name]);
  const candidates = [
    ...(onPath === undefined ? [] : [onPath]),
    ...versions.map((v) => `${versionFolders}/${v}/bin/${name}`),
  ];
  const major = Number.parseInt(serverVersion, 10);
  let newest = 0;
  for (const candidate of candidates) {
    const printed = await promisify(execFile)(candidate, ['--version']).catch(() => ({ stdout: '' }));
    const found = Number(/(\d+)/.exec(printed.stdout)?.[1] ?? 0);
    if (found >= major) return candidate;
    newest = Math.max(newest, found);
  }
  const there = newest === 0 ? 'is not on the PATH' : `is version ${newest}, which is too old`;
  throw new DatabaseError(
    'JIG_DATABASE_PROGRAM_MISSING',
    `${name} of PostgreSQL ${major} or newer is needed, but it ${there}. Install it, with the package postgresql-client-${major} of apt.postgresql.org for example.`,
    { fields: { program: name } },
  );
}
