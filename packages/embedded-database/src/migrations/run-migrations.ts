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
  /** Called with what was done beside running statements. */
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
    const remember = async (name: string, checksum: string) => {
      if (isKept) await client.query('INSERT INTO jig.migration VALUES ($1, $2, $3)', [kind, name, checksum]);
    };
    if (typeof migrations === 'function') {
      // Tools that migrate know themselves what ran, so a function runs at each start; one that seeds does not.
      if (kind === 'seed' && ran.has('')) return;
      await runFunction(kind, migrations, connection);
      if (kind === 'seed') await remember('', '');
      return;
    }
    for (const { path, name } of await sqlFiles(migrations, kind)) {
      const text = await readFile(path, 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      const before = ran.get(name);
      if (before === undefined) {
        // In a session of its own: what it sets, as `pg_dump` does with `search_path`, must not reach the next.
        await withClient(connection, (own) => runSqlFile(own, { path, text }, log));
        await remember(name, checksum);
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
