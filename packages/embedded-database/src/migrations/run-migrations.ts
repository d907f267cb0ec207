import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Client } from 'pg';
import { type ConnectionOptions, type DatabaseAddress, databaseAddress } from '../connection/address.ts';
import { connect } from '../connection/postgresql-client.ts';
import { DatabaseError, errorMessage, optionInvalid } from '../errors.ts';
import { toPath } from '../server/server-folder.ts';
import { runSqlFile, shownPath } from './sql-file.ts';

/** An SQL file, a folder of them, or a function that fills the database whose address it gets. */
export type Migrations = string | URL | ((database: DatabaseAddress) => unknown);

export interface MigrationContext {
  readonly connection: ConnectionOptions;
  /** Whether the database is kept, so that only what is new may run. */
  readonly isKept: boolean;
  /** Called with what was done besides running statements. */
  readonly log: (line: string) => void;
  /** Called with warnings. */
  readonly warn: (line: string) => void;
}

/** The option that names what is run. */
export type MigrationKind = 'migrations' | 'seed';

export async function runMigrations(
  kind: MigrationKind,
  migrations: Migrations,
  { connection, isKept, log, warn }: MigrationContext,
): Promise<void> {
  await withClient(connection, async (client) => {
    const ran = isKept ? await historyOf(client, kind) : new Map<string, string>();
    const recordRun = async (name: string, checksum: string) => {
      if (isKept) await client.query('INSERT INTO jig.migration VALUES ($1, $2, $3)', [kind, name, checksum]);
    };
    if (typeof migrations === 'function') {
      // A function runs at each start, since migration tools record what ran; a seed function runs once.
      if (kind === 'seed' && ran.has('')) return;
      await runFunction(kind, migrations, connection);
      if (kind === 'seed') await recordRun('', '');
      return;
    }
    for (const { path, name } of await sqlFiles(migrations, kind)) {
      const text = await readFile(path, 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      const before = ran.get(name);
      if (before === undefined) {
        // On a connection of its own: what it sets, such as `search_path` by `pg_dump`, must not affect the next file.
        await withClient(connection, (own) => runSqlFile(own, { path, text }, log));
        await recordRun(name, checksum);
      } else if (before !== checksum)
        warn(
          `${shownPath(path)} has changed since it ran in this database, and is not run again. Remove the folder of the database to begin anew.`,
        );
    }
  });
}

async function withClient(connection: ConnectionOptions, work: (client: Client) => Promise<void>): Promise<void> {
  const client = await connect(connection, { connectTimeout: 10_000, queryTimeout: 0 });
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** The checksums of what ran in a database that is kept, by name, so that a second start runs only what is new. */
async function historyOf(client: Client, kind: MigrationKind): Promise<ReadonlyMap<string, string>> {
  await client.query(`CREATE SCHEMA IF NOT EXISTS jig; CREATE TABLE IF NOT EXISTS jig.migration
    (kind text, name text, checksum text NOT NULL, ran_at timestamptz DEFAULT now(), PRIMARY KEY (kind, name))`);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM jig.migration WHERE kind = $1',
    [kind],
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

async function runFunction(
  kind: MigrationKind,
  fill: Exclude<Migrations, string | URL>,
  connection: ConnectionOptions,
): Promise<void> {
  try {
    await fill(databaseAddress(connection));
  } catch (cause) {
    const sentence = `The function given as ${kind} failed: ${errorMessage(cause)}`;
    throw new DatabaseError('JIG_DATABASE_MIGRATION_FAILED', sentence, { cause });
  }
}

interface SqlFile {
  readonly path: string;
  /** Within the folder that was given. */
  readonly name: string;
}

/** Sorted by name, with numbers in numeric order; without files that undo a migration. */
export async function sqlFiles(given: string | URL, kind: MigrationKind): Promise<readonly SqlFile[]> {
  const path = toPath(given);
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) throw invalid(`The file or folder ${shownPath(path)} given as ${kind} is not there.`);
  if (!stats.isDirectory()) return [{ path, name: basename(path) }];
  const names = (await readdir(path, { recursive: true })).filter(
    (name) => name.endsWith('.sql') && !/(?:^|[./\\])down\.sql$/.test(name),
  );
  if (names.length === 0) throw invalid(`The folder ${shownPath(path)} given as ${kind} holds no .sql file.`);
  const { compare } = new Intl.Collator('en', { numeric: true });
  return names.sort(compare).map((name) => ({ path: join(path, name), name }));
}

const invalid = (sentence: string) => optionInvalid(`${sentence} Name an .sql file or a folder of them.`);
