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
  /** Where it begins, from 1. */
  readonly line: number;
}

/** Runs all statements of a file: each part of it as a whole, or not at all, unless it has transactions of its own. */
export async function runSqlFile(
  client: Client,
  { path, text }: { readonly path: string; readonly text: string },
  log: (line: string) => void,
): Promise<void> {
  const end = undoLine.exec(text)?.index ?? text.length;
  const isDump = dumpLine.test(text);
  for (const part of partsOf(text.slice(0, end))) {
    if (isDump) await runDumped(client, path, { ...part, text: part.text.replace(psqlCommands, '') }, log);
    else await runPart(client, path, part);
  }
}

/** PostgreSQL takes many statements at once, but the rows of a COPY one by one. */
function partsOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  let [at, line] = [0, 1];
  const take = (to: number): Part => {
    const taken = { text: text.slice(at, to), line };
    line += taken.text.split('\n').length - 1;
    at = to;
    return taken;
  };
  for (const { index, 0: whole, 1: copy = '', 2: rows = '' } of text.matchAll(copiedRows)) {
    parts.push(take(index), { ...take(index + copy.length), rows });
    take(index + whole.length);
  }
  parts.push(take(text.length));
  return parts.filter((part) => part.text !== '');
}

async function runPart(client: Client, path: string, part: Part): Promise<void> {
  try {
    await (part.rows === undefined ? client.query(part.text) : copy(client, part.text, part.rows));
  } catch (error) {
    throw failed(path, part, error);
  }
}

/** Dumps name the owners and readers that production has. */
async function runDumped(client: Client, path: string, part: Part, log: (line: string) => void): Promise<void> {
  for (const made = new Set<string>(); ; ) {
    try {
      return await runPart(client, path, part);
    } catch (error) {
      const role = missingRole((error as Error).cause);
      if (role === undefined || made.has(role)) throw error;
      made.add(role);
      await client.query(`CREATE ROLE ${escapeIdentifier(role)}`);
      log(`The role "${role}" that ${shownPath(path)} names is missing, so it was made, without the right to log in.`);
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

function failed(file: string, { text, rows, line: start }: Part, cause: unknown): DatabaseError {
  // PostgreSQL says where it stumbled, as a number of characters from 1, if it was not in the data.
  const { position } = cause as { position?: string };
  const before = Array.from(text)
    .slice(0, Number(position ?? 1) - 1)
    .join('');
  const line = start + before.split('\n').length - 1;
  const isKnown = position !== undefined || rows !== undefined;
  const where = isKnown ? ` at line ${line}` : '';
  return new DatabaseError(
    'JIG_DATABASE_MIGRATION_FAILED',
    `The migration ${shownPath(file)} failed${where}: ${errorMessage(cause)}`,
    { cause, fields: { file, ...(isKnown ? { line } : {}) } },
  );
}

/** Relative to the working directory when it is in there, as people name files. */
export function shownPath(path: string): string {
  const near = relative('.', path);
  return near.startsWith('..') || isAbsolute(near) ? path : near;
}
