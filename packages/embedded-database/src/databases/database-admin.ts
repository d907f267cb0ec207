import { DatabaseError } from '../errors.ts';

/** Both kinds of servers take at least 63 bytes; what has a meaning in paths is left out. */
const namePattern = /^[\p{L}_][\p{L}\p{N}_$-]{0,62}$/u;

export function isDatabaseName(name: unknown): name is string {
  return typeof name === 'string' && namePattern.test(name) && Buffer.byteLength(name) <= 63;
}

export interface AdminNames {
  readonly users: readonly string[];
  readonly password: string;
  readonly database: string;
}

/** Makes and removes databases on a server. */
export interface DatabaseAdmin {
  /** Makes the users who may do everything, with the password, and the database, unless they are there. */
  ensureNames(names: AdminNames): Promise<void>;
  exists(name: string): Promise<boolean>;
  create(name: string): Promise<void>;
  /** Makes a database with all that is in the template. */
  clone(template: string, name: string): Promise<void>;
  /** As `clone`, in the place of an earlier one; nobody can connect to the copy, so that it can be cloned at any time. */
  cloneAsTemplate(source: string, name: string): Promise<void>;
  /** Puts a fresh database into the place of another, whose connections are ended. */
  replace(name: string, fresh: string): Promise<void>;
  /** Ends the connections of others to it first. */
  drop(name: string): Promise<void>;
  /** Says whether it is gone; one that somebody is connected to stays. */
  dropUnused(name: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Runs SQL statements one after the other over a connection of its own. */
export interface SqlSession {
  /** With the rows for `COPY … FROM stdin`, where the statement is that. */
  run(statement: string, data?: string): Promise<void>;
  rows(statement: string, values?: readonly string[]): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

export function nameTaken(name: string, cause: unknown): DatabaseError {
  return new DatabaseError(
    'JIG_DATABASE_EXISTS',
    `There is a database "${name}" already. Choose another name, or drop it first.`,
    { cause, fields: { database: name } },
  );
}

export function templateMissing(template: string, cause?: unknown): DatabaseError {
  return new DatabaseError(
    'JIG_DATABASE_TEMPLATE_UNUSABLE',
    `There is no database "${template}" to clone. Name one that exists.`,
    { cause, fields: { template } },
  );
}

export function templateInUse(template: string, cause: unknown): DatabaseError {
  return new DatabaseError(
    'JIG_DATABASE_TEMPLATE_UNUSABLE',
    `The database "${template}" cannot be cloned while somebody is connected to it. Close those connections, or give your migrations to startDatabase, which keeps a template that nobody connects to.`,
    { cause, fields: { template } },
  );
}
