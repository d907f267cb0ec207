import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ConnectionOptions } from '../connection/connection-options.ts';
import { type DatabaseAddress, databaseAddress } from '../connection/database-address.ts';
import { openSession } from '../databases/open-admin.ts';
import { DatabaseError, errorMessage, optionInvalid } from '../errors.ts';
import { toPath } from '../supervisor/folders.ts';
import { MigrationHistory } from './migration-history.ts';
import { runSqlFile, shownPath } from './run-sql-file.ts';

/** An SQL file, a folder of them, or a function that fills the database whose address it gets. */
export type Migrations = string | URL | ((database: DatabaseAddress) => unknown);

export interface MigrationContext {
  readonly connection: ConnectionOptions;
  /** Whether the database is kept, so that only what is new may run. */
  readonly isKept: boolean;
  /** Called with what was done beside running statements. */
  readonly log: (line: string) => void;
  /** Called with what somebody should know who keeps no log. */
  readonly warn: (line: string) => void;
}

/** The option that names what is run. */
export type MigrationKind = 'migrations' | 'seed';

export async function runMigrations(
  kind: MigrationKind,
  migrations: Migrations,
  context: MigrationContext,
): Promise<void> {
  const { connection, isKept } = context;
  const history = isKept ? await MigrationHistory.open(await openSession(connection), connection.dialect) : undefined;
  try {
    if (typeof migrations === 'function') await runFunction(kind, migrations, context, history);
    else for (const file of await sqlFiles(migrations, kind)) await runOnce(kind, file, context, history);
  } finally {
    await history?.close();
  }
}

/** Tools that migrate know themselves what ran, so a function runs at each start; one that seeds does not. */
async function runFunction(
  kind: MigrationKind,
  fill: Exclude<Migrations, string | URL>,
  { connection }: MigrationContext,
  history: MigrationHistory | undefined,
): Promise<void> {
  const isSeed = kind === 'seed';
  if (isSeed && history?.checksumOf(kind, '') !== undefined) return;
  try {
    await fill(databaseAddress(connection));
  } catch (error) {
    throw new DatabaseError(
      'JIG_DATABASE_MIGRATION_FAILED',
      `The function given as ${kind} failed: ${errorMessage(error)}`,
      { cause: error },
    );
  }
  if (isSeed) await history?.add(kind, '', '');
}

async function runOnce(
  kind: MigrationKind,
  { path, name }: SqlFile,
  { connection, log, warn }: MigrationContext,
  history: MigrationHistory | undefined,
): Promise<void> {
  const text = await readFile(path, 'utf8');
  const checksum = createHash('sha256').update(text).digest('hex');
  const ran = history?.checksumOf(kind, name);
  if (ran === undefined) {
    await runSqlFile({ path, text }, connection, log);
    await history?.add(kind, name, checksum);
  } else if (ran !== checksum) {
    warn(
      `${shownPath(path)} has changed since it ran in this database, and is not run again. Remove the folder of the database to begin anew.`,
    );
  }
}

interface SqlFile {
  readonly path: string;
  /** Within the folder that was given. */
  readonly name: string;
}

/** In the order of their names, with numbers compared as numbers; what undoes a migration is left out. */
export async function sqlFiles(given: string | URL, kind: MigrationKind): Promise<readonly SqlFile[]> {
  const path = toPath(given);
  const there = await stat(path).catch(() => undefined);
  if (there === undefined) throw invalid(`The file or folder ${shownPath(path)} given as ${kind} is not there.`);
  if (!there.isDirectory()) return [{ path, name: basename(path) }];
  const names = (await readdir(path, { recursive: true })).filter(
    (name) => name.endsWith('.sql') && !/(?:^|[./\\])down\.sql$/.test(name),
  );
  if (names.length === 0) throw invalid(`The folder ${shownPath(path)} given as ${kind} holds no .sql file.`);
  const { compare } = new Intl.Collator('en', { numeric: true });
  return names.sort(compare).map((name) => ({ path: join(path, name), name }));
}

const invalid = (sentence: string) => optionInvalid(`${sentence} Name an .sql file or a folder of them.`);
