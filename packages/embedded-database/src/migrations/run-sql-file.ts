import { isAbsolute, relative } from 'node:path';
import type { ConnectionOptions } from '../connection/connection-options.ts';
import type { SqlSession } from '../databases/database-admin.ts';
import { openSession } from '../databases/open-admin.ts';
import { DatabaseError, errorMessage } from '../errors.ts';
import { isPsqlCommand, type SqlStatement, splitStatements } from './sql-statements.ts';

/** What follows this line undoes the migration: dbmate and goose keep both in one file. */
const undoLine = /^--\s*(?:migrate:down|\+goose down)\b/im;
const longestStatement = 300;

/** Runs the statements of a file in a session of its own: what it sets, as `pg_dump` does with `search_path`, must not reach the next. */
export async function runSqlFile(
  { path, text }: { readonly path: string; readonly text: string },
  connection: ConnectionOptions,
  log: (line: string) => void,
): Promise<void> {
  const end = undoLine.exec(text)?.index ?? text.length;
  const statements = splitStatements(text.slice(0, end), connection.dialect);
  for (const statement of statements) if (isPsqlCommand(statement)) checkCommand(path, statement, connection.database);
  let session = await openSession(connection);
  try {
    for (const statement of statements) {
      if (!isPsqlCommand(statement)) await runStatement(session, path, statement, log);
      else if (connectCommand.test(statement.text)) {
        await session.close();
        session = await openSession(connection);
      }
    }
  } finally {
    await session.close();
  }
}

const connectCommand = /^\\c(?:onnect)?(?:\s+-reuse-previous=\w+)?\s+(\S.*)$/;

/** Those that `pg_dump` writes. The key of `\restrict` guards against what a dump may hold for psql; here it can hold nothing of that kind. */
function checkCommand(file: string, { text, line }: SqlStatement, database: string): void {
  if (/^\\(?:un)?restrict\b/.test(text)) return;
  const [, target] = connectCommand.exec(text) ?? [];
  if (target !== undefined && databaseIn(target) === database) return;
  const [command = text] = /^\\\S+/.exec(text) ?? [];
  const why =
    target === undefined
      ? `${command} is a command of psql. Remove it, or run the file by psql, in a function given as migrations.`
      : `${command} names another database than "${database}". Remove it, or give startDatabase the name as database.`;
  throw new DatabaseError(
    'JIG_DATABASE_MIGRATION_FAILED',
    `The migration ${shownPath(file)} cannot run line ${line}: ${why}`,
    {
      fields: { file, line, statement: text },
    },
  );
}

/** `name`, `"name"` or `"dbname='name'"`, as `pg_dump --create` writes it. */
function databaseIn(target: string): string {
  const bare = target.trim().replace(/^"(.*)"$/, '$1');
  return /^dbname='(.*)'$/.exec(bare)?.[1] ?? bare;
}

async function runStatement(
  session: SqlSession,
  file: string,
  statement: SqlStatement,
  log: (line: string) => void,
): Promise<void> {
  const made = new Set<string>();
  for (;;) {
    try {
      return await session.run(statement.text, statement.data);
    } catch (error) {
      const role = missingOwner(statement, error);
      if (role === undefined || made.has(role)) throw failed(file, statement, error);
      made.add(role);
      await session.run(`CREATE ROLE "${role.replaceAll('"', '""')}"`).catch(() => {
        throw failed(file, statement, error);
      });
      log(`The role "${role}" that ${shownPath(file)} names at line ${statement.line} is missing, so it was made.`);
    }
  }
}

/** Dumps name the owners that production has. PostgreSQL, appendix A: 42704 is an undefined object. */
function missingOwner({ text }: SqlStatement, error: unknown): string | undefined {
  const { code, message = '' } = error as { code?: string; message?: string };
  if (code !== '42704' || !/\bowner\s+to\b|\bauthorization\b/i.test(text)) return undefined;
  return /^role "(.+)" does not exist$/.exec(message)?.[1];
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
    `The migration ${shownPath(file)} failed at line ${line}: ${errorMessage(cause)}. The statement is: ${short}`,
    { cause, fields: { file, line, statement: statement.text } },
  );
}

/** Relative to the working directory when it is in there, as people name files. */
export function shownPath(path: string): string {
  const near = relative('.', path);
  return near.startsWith('..') || isAbsolute(near) ? path : near;
}
