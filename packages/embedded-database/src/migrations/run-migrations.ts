import { readdir, readFile, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { ConnectionOptions, Dialect } from '../connection/connection-options.ts';
import { type DatabaseAddress, databaseAddress } from '../connection/database-address.ts';
import type { SqlSession } from '../databases/database-admin.ts';
import { openSession } from '../databases/open-admin.ts';
import { DatabaseError, errorMessage } from '../errors.ts';
import { type SqlStatement, splitStatements } from './sql-statements.ts';

/** An SQL file, a folder of them, or a function that fills the database whose address it gets. */
export type Migrations = string | URL | ((database: DatabaseAddress) => unknown);

/** What follows this line undoes the migration: dbmate and goose keep both in one file. */
const undoLine = /^--\s*(?:migrate:down|\+goose down)\b/im;
const longestStatement = 300;

export async function runMigrations(connection: ConnectionOptions, migrations: Migrations): Promise<void> {
  if (typeof migrations === 'function') return runFunction(connection, migrations);
  const files = await sqlFiles(migrations);
  const session = await openSession(connection);
  try {
    for (const file of files) await runFile(session, file, connection.dialect);
  } finally {
    await session.close();
  }
}

async function runFunction(connection: ConnectionOptions, migrate: Exclude<Migrations, string | URL>): Promise<void> {
  try {
    await migrate(databaseAddress(connection));
  } catch (error) {
    throw new DatabaseError(
      'JIG_DATABASE_MIGRATION_FAILED',
      `The function given as migrations failed: ${errorMessage(error)}`,
      { cause: error },
    );
  }
}

/** In the order of their names, with numbers compared as numbers; what undoes a migration is left out. */
export async function sqlFiles(given: string | URL): Promise<readonly string[]> {
  const path = given instanceof URL ? decodeURIComponent(given.pathname) : resolve(given);
  const there = await stat(path).catch(() => undefined);
  if (there === undefined) throw invalid(`The file or folder ${shown(path)} given as migrations is not there.`);
  if (!there.isDirectory()) return [path];
  const names = (await readdir(path, { recursive: true })).filter(
    (name) => name.endsWith('.sql') && !/(?:^|[./\\])down\.sql$/.test(name),
  );
  if (names.length === 0) throw invalid(`The folder ${shown(path)} given as migrations holds no .sql file.`);
  const { compare } = new Intl.Collator('en', { numeric: true });
  return names.sort(compare).map((name) => join(path, name));
}

async function runFile(session: SqlSession, file: string, dialect: Dialect): Promise<void> {
  const text = await readFile(file, 'utf8');
  const end = undoLine.exec(text)?.index ?? text.length;
  for (const statement of splitStatements(text.slice(0, end), dialect)) {
    try {
      await session.run(statement.text);
    } catch (error) {
      throw failed(file, statement, error);
    }
  }
}

function failed(file: string, statement: SqlStatement, cause: unknown): DatabaseError {
  // PostgreSQL says where in the statement it stumbled, as a number of characters from 1.
  const { position } = cause as { position?: string };
  const before =
    position === undefined
      ? ''
      : Array.from(statement.text)
          .slice(0, Number(position) - 1)
          .join('');
  const line = statement.line + before.split('\n').length - 1;
  const flat = statement.text.replace(/\s+/g, ' ');
  const short = flat.length > longestStatement ? `${flat.slice(0, longestStatement)}…` : flat;
  return new DatabaseError(
    'JIG_DATABASE_MIGRATION_FAILED',
    `The migration ${shown(file)} failed at line ${line}: ${errorMessage(cause)}. The statement is: ${short}`,
    { cause, fields: { file, line, statement: statement.text } },
  );
}

/** Relative to the working directory when it is in there, as people name files. */
function shown(path: string): string {
  const near = relative('.', path);
  return near.startsWith('..') || isAbsolute(near) ? path : near;
}

function invalid(sentence: string): DatabaseError {
  return new DatabaseError('JIG_DATABASE_OPTION_INVALID', `${sentence} Name an .sql file or a folder of them.`);
}
