import { DatabaseError, type DatabaseErrorCode, diskFull } from '../errors.ts';

/** A pattern of PostgreSQL's output, and the error to report for it. The message may use the groups of the match. */
interface StartupError {
  readonly pattern: RegExp;
  readonly code: DatabaseErrorCode;
  readonly message: (match: RegExpExecArray, server: FailedServer) => string;
  /** Whether a retry may help, even at the first start. */
  readonly isTemporary?: boolean;
}

/** The server that did not start. */
export interface FailedServer {
  readonly dataFolder: string;
  readonly port: number;
}

/** The first match wins, so specific patterns come before general ones. */
const startupErrors: readonly StartupError[] = [
  {
    pattern:
      /LOG: +([^\n]+)\n(?:[^\n]*CONTEXT: +([^\n]+)\n)?[^\n]*FATAL: +((?:configuration file|could not load) [^\n]+)/,
    code: 'JIG_DATABASE_SETTING_REFUSED',
    message: ([, ...reasons]) =>
      `PostgreSQL does not accept a line: ${reasons.filter(Boolean).join('; ')}. Correct or remove it; the data is untouched.`,
  },
  {
    pattern: /(error while loading shared libraries: [^\n]+|failed to execute [^\n]+|[^\n]+: not found)/,
    code: 'JIG_DATABASE_SERVER_UNAVAILABLE',
    message: ([reason]) => `PostgreSQL does not run on this machine: ${reason}. Install what is missing.`,
  },
  {
    pattern: /No space left on device|Disk quota exceeded|Check free disk space/,
    code: 'JIG_DATABASE_DISK_FULL',
    message: (_, { dataFolder }) => diskFull(`database folder ${dataFolder}`).message,
  },
  {
    pattern: /could not bind IPv4 address [^\n]*: Address already in use/,
    code: 'JIG_DATABASE_PORT_TAKEN',
    message: (_, { port }) =>
      `The port ${port} for the database is taken. Choose another, or none for any that is free.`,
  },
  {
    pattern:
      /unrecognized configuration parameter "([^"]+)"|invalid value for parameter "([^"]+)"|parameter "([^"]+)" (?:cannot|requires)/,
    code: 'JIG_DATABASE_SETTING_REFUSED',
    message: ([reason, ...names]) =>
      `PostgreSQL does not accept the setting "${names.find(Boolean)}" (database.serverSettings, settings): ${reason}. Correct or remove it.`,
  },
  {
    pattern: /lock file "[^"]*postmaster\.pid" already exists[\s\S]*?PID (\d+)/,
    code: 'JIG_DATABASE_FOLDER_HELD',
    message: ([, pid], { dataFolder }) =>
      `The database folder ${dataFolder} is in use by a PostgreSQL that was not started here, the process ${pid}. Stop it first.`,
  },
  {
    pattern: /pre-existing shared memory block/,
    code: 'JIG_DATABASE_START_FAILED',
    message: (_, { dataFolder }) =>
      `A part of the last PostgreSQL on ${dataFolder} still lives. Wait for its end, or end it.`,
    isTemporary: true,
  },
  {
    pattern:
      /(?:PANIC|FATAL|LOG|postgres): +([^\n]*(?:checkpoint record|control file|database files are incompatible with server|could not (?:open|read|access)[^\n]*"(?:global|base|pg_\w+)|invalid page|is not a database cluster directory|could not find the database system)[^\n]*)|PANIC: +([^\n]+)/,
    code: 'JIG_DATABASE_DAMAGED',
    message: ([, known, panic], { dataFolder }) =>
      `The data in ${dataFolder} is damaged (${known ?? panic}). It is untouched; restore the folder from a backup.`,
  },
  {
    pattern: /could not (?!bind)[^\n]*: Permission denied|data directory "[^"]*" (has wrong ownership)/,
    code: 'JIG_DATABASE_FOLDER_UNUSABLE',
    message: ([reason, ownership], { dataFolder }) =>
      `PostgreSQL may not use its folder ${dataFolder}: ${ownership ?? reason}. Change its owner or rights, or the user that the server runs as (database.user, runAs); the data is untouched.`,
  },
];

/** The error for known output; undefined for any other. */
export function explain(lines: readonly string[], server: FailedServer): DatabaseError | undefined {
  const text = lines.join('\n');
  for (const { pattern, code, message, isTemporary = false } of startupErrors) {
    const match = pattern.exec(text);
    if (match !== null) return new DatabaseError(code, message(match, server), { isTemporary });
  }
  return undefined;
}

/** Time and process id before each line of PostgreSQL. */
const linePrefix = /^\d{4}-\d\d-\d\d[ T]+\d{1,2}:\d\d:\d\d(?:\.\d+)?(?: [A-Z]{3,5})?(?: \[?\d+\]?)? +/;
const complaint = /\b(?:FATAL|PANIC|ERROR)\b|could not/;
const maxLines = 3;

/** The errors in the output, otherwise its last lines, for use inside a sentence. */
export function logExcerpt(lines: readonly string[]): string {
  const withoutPrefix = lines.map((line) => line.replace(linePrefix, '').replace(/\s+/g, ' ').trim()).filter(Boolean);
  const complaints = withoutPrefix.filter((line) => complaint.test(line));
  return (complaints.length > 0 ? complaints : withoutPrefix).slice(-maxLines).join(' / ');
}
