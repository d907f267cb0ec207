import { isAbsolute, relative } from 'node:path';
import { type Client, escapeIdentifier, Query } from 'pg';
import { DatabaseError, errorMessage } from '../errors.ts';

/** What follows this line undoes the migration: dbmate and goose keep both in one file. */
const undoLine = /^--\s*(?:migrate:down|\+goose down)\b/im;
/** Rails removes the line at the beginning. */
const dumpLine = /^-- PostgreSQL database dump\b/m;
/** What `pg_dump` writes for psql alone. */
const psqlCommands = /^\\(?:restrict|unrestrict)\b.*$/gm;
/** The rows of a table, as `pg_dump` writes them: psql's manual, "COPY". */
const copiedRows = /^(COPY [^;]+ FROM stdin[^;]*;)\r?\n([\s\S]*?)^\\\.$/gim;

interface Part {
  readonly text: string;
  readonly rows?: string;
  /** Where it begins in the file. */
  readonly start: number;
}

interface SqlFile {
  readonly path: string;
  readonly text: string;
}

/** Runs all statements of a file. Each part is one transaction, unless it contains its own. */
export async function runSqlFile(client: Client, file: SqlFile, log: (line: string) => void): Promise<void> {
  const { text } = file;
  const end = undoLine.exec(text)?.index ?? text.length;
  const run = dumpLine.test(text) ? runDumped : runPart;
  for (const part of partsOf(text.slice(0, end))) await run(client, file, part, log);
}

/** PostgreSQL takes many statements at once, but the rows of a COPY one by one. */
function* partsOf(text: string): Generator<Part> {
  let start = 0;
  for (const { index, 0: whole, 1: copy = '', 2: rows = '' } of text.matchAll(copiedRows)) {
    yield { start, text: text.slice(start, index) };
    yield { start: index, text: copy, rows };
    start = index + whole.length;
  }
  yield { start, text: text.slice(start) };
}

async function runPart(client: Client, file: SqlFile, part: Part): Promise<void> {
  try {
    await (part.rows === undefined ? client.query(part.text) : copy(client, part.text, part.rows));
  } catch (error) {
    throw failed(file, part, error);
  }
}

/** Creates missing roles: dumps name the owners and readers of production. */
async function runDumped(client: Client, file: SqlFile, part: Part, log: (line: string) => void): Promise<void> {
  const sql = { ...part, text: part.text.replace(psqlCommands, '') };
  const created = new Set<string>();
  for (;;) {
    try {
      return await runPart(client, file, sql);
    } catch (error) {
      const role = missingRole((error as Error).cause);
      if (role === undefined || created.has(role)) throw error;
      created.add(role);
      await client.query(`CREATE ROLE ${escapeIdentifier(role)}`);
      log(
        `The role "${role}" that ${shownPath(file.path)} names is missing, so it was made, without the right to log in.`,
      );
    }
  }
}

/** PostgreSQL, appendix A: 42704 is an undefined object. */
function missingRole(error: unknown): string | undefined {
  const { code, message = '' } = error as { code?: string; message?: string };
  return code === '42704' ? /^role "(.+)" does not exist$/.exec(message)?.[1] : undefined;
}

/** What `pg` calls on its connection while a COPY runs; its types leave it out. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Runs one `COPY … FROM stdin` with its rows. */
function copy(client: Client, statement: string, rows: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = new Query(statement);
    Object.assign(query, {
      handleCopyInResponse(server: CopyConnection) {
        server.sendCopyFromChunk(Buffer.from(rows));
        server.endCopyFrom();
      },
    });
    query.on('end', () => resolve()).on('error', reject);
    client.query(query);
  });
}

function failed({ path, text }: SqlFile, part: Part, cause: unknown): DatabaseError {
  // PostgreSQL gives the position of an error in characters, from 1; an error in the rows of a COPY has none.
  const { position } = cause as { position?: string };
  const isKnown = position !== undefined || part.rows !== undefined;
  const before =
    text.slice(0, part.start) +
    Array.from(part.text)
      .slice(0, Number(position ?? 1) - 1)
      .join('');
  const line = before.split('\n').length;
  const sentence = `The migration ${shownPath(path)} failed${isKnown ? ` at line ${line}` : ''}: ${errorMessage(cause)}`;
  const fields = { file: path, ...(isKnown ? { line } : {}) };
  return new DatabaseError('JIG_DATABASE_MIGRATION_FAILED', sentence, { cause, fields });
}

/** Relative to the working directory if the file is in it. */
export function shownPath(path: string): string {
  const local = relative('.', path);
  return local.startsWith('..') || isAbsolute(local) ? path : local;
}
