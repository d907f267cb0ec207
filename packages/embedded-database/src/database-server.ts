import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import type { Client } from 'pg';
import type { ConnectionOptions } from './connection/connection-options.ts';
import { type DatabaseAddress, databaseAddress } from './connection/database-address.ts';
import { type DatabaseAdmin, isDatabaseName } from './databases/database-admin.ts';
import { dumpDatabase, restoreDatabase } from './databases/dump.ts';
import { openAdmin, rollBackAfter } from './databases/open-admin.ts';
import { DatabaseError, optionInvalid } from './errors.ts';

/** What a test does with a database. */
export interface TestedDatabase extends DatabaseAddress {
  readonly name: string;
  /** Puts it back to what it was cloned from: for the main database, to your migrations. Ends the connections to it. */
  reset(): Promise<void>;
  /** Runs the work with a client in a transaction, and rolls that back. PostgreSQL only. */
  transaction<Result>(work: (client: Client) => Promise<Result>): Promise<Result>;
  /** Writes it into a file of SQL; needs `pg_dump` or `mariadb-dump`. */
  dump(file: string): Promise<void>;
  /** Runs a file of SQL in it; needs `psql` or `mariadb`. */
  restore(file: string): Promise<void>;
}

/** The main database of a server, on which more can be made. */
export interface MainDatabase extends TestedDatabase, AsyncDisposable {
  /** Makes a new, empty database. */
  create(name: string): Promise<DatabaseCopy>;
  /** Makes a copy of the template, which is the database with your migrations, else the main database. */
  clone(template?: string): Promise<DatabaseCopy>;
}

/** One database of a server, for a test of its own. */
export interface DatabaseCopy extends TestedDatabase, AsyncDisposable {
  /** Removes it, and ends the connections to it. */
  drop(): Promise<void>;
}

/** The copy that `clone()` begins with once there are migrations; nobody can connect to it. */
export const templateName = 'jig_template';

/** What `create` begins with. */
const nothing = '';

/** The databases on a running server. */
export class DatabaseServer {
  readonly #connection: ConnectionOptions;
  readonly #version: string | undefined;
  #admin: Promise<DatabaseAdmin> | undefined;
  #hasTemplate = false;
  /** The name of a copy of the template that is made in advance, while the test before it runs. */
  #next: Promise<string> | undefined;

  constructor(connection: ConnectionOptions, { version, admin }: { version?: string; admin?: DatabaseAdmin } = {}) {
    this.#connection = connection;
    this.#version = version;
    if (admin !== undefined) this.#admin = Promise.resolve(admin);
  }

  /** A new, empty database. */
  async create(name: string): Promise<DatabaseCopy> {
    const checked = checkedName(name);
    if (checked === templateName)
      throw optionInvalid(`The name "${name}" is kept for the copy that clone() begins with. Choose another.`, {
        name,
      });
    await (await this.#opened()).create(checked);
    return this.#copy(checked, nothing);
  }

  /** A new database with all that is in the template: the one with your migrations, else the main database. */
  async clone(template?: string): Promise<DatabaseCopy> {
    const admin = await this.#opened();
    const source = template === undefined ? await this.#defaultTemplate(admin) : checkedName(template);
    return this.#copy(await this.#fresh(admin, source), source);
  }

  /** The name of a new copy; of the kept template, which alone is sure to stay as it is, the next one is made in advance. */
  async #fresh(admin: DatabaseAdmin, source: string): Promise<string> {
    if (source !== templateName) return freshFrom(admin, source);
    const next = this.#next;
    this.#next = undefined;
    const name = (await next?.catch(() => undefined)) ?? (await freshFrom(admin, source));
    this.#next ??= freshFrom(admin, source);
    this.#next.catch(() => {});
    return name;
  }

  /** Puts a database back to what its source is. */
  async #reset(name: string, source?: string): Promise<void> {
    const admin = await this.#opened();
    const from = source ?? (await this.#defaultTemplate(admin));
    if (from === name)
      throw new DatabaseError(
        'JIG_DATABASE_TEMPLATE_UNUSABLE',
        `There is nothing to put the database "${name}" back to. Give startDatabase your migrations or a seed; reset() goes back to what they made.`,
        { fields: { template: name } },
      );
    await admin.replace(name, await this.#fresh(admin, from));
  }

  /** Keeps the main database as it is now for `clone`. */
  async keepTemplate(): Promise<void> {
    const admin = await this.#opened();
    await admin.cloneAsTemplate(this.#connection.database, templateName);
    this.#hasTemplate = true;
  }

  /** Says whether it is gone; one that somebody is connected to stays. */
  async dropUnused(name: string): Promise<boolean> {
    return (await this.#opened()).dropUnused(name);
  }

  /** For those who started or reached the server; `end` is called at the end of `await using`. */
  main(end: () => Promise<void>): MainDatabase {
    return {
      ...this.#tested(this.#connection.database),
      create: (name) => this.create(name),
      clone: (template) => this.clone(template),
      [Symbol.asyncDispose]: end,
    };
  }

  #copy(name: string, source: string): DatabaseCopy {
    const drop = async () => (await this.#opened()).drop(name);
    return { ...this.#tested(name, source), drop, [Symbol.asyncDispose]: drop };
  }

  #tested(name: string, source?: string): TestedDatabase {
    const connection = { ...this.#connection, database: name };
    return {
      name,
      ...databaseAddress(connection),
      reset: () => this.#reset(name, source),
      transaction: (work) => rollBackAfter(connection, work),
      dump: (file) => dumpDatabase(connection, this.#version, file),
      restore: (file) => restoreDatabase(connection, file),
    };
  }

  /** A server that is stopped right after needs no tidying. */
  async close({ dropsUnused = true } = {}): Promise<void> {
    const admin = await this.#admin?.catch(() => undefined);
    const next = this.#next;
    this.#admin = undefined;
    this.#next = undefined;
    const unused = dropsUnused ? await next?.catch(() => undefined) : undefined;
    if (unused !== undefined) await admin?.drop(unused);
    await admin?.close();
  }

  #opened(): Promise<DatabaseAdmin> {
    this.#admin ??= openAdmin(this.#connection);
    return this.#admin;
  }

  async #defaultTemplate(admin: DatabaseAdmin): Promise<string> {
    this.#hasTemplate ||= await admin.exists(templateName);
    return this.#hasTemplate ? templateName : this.#connection.database;
  }
}

const randomName = () => `jig_${randomBytes(6).toString('hex')}`;

async function freshFrom(admin: DatabaseAdmin, source: string): Promise<string> {
  const name = randomName();
  await (source === nothing ? admin.create(name) : admin.clone(source, name));
  return name;
}

/** Callers may have no types. */
function checkedName(name: unknown): string {
  if (isDatabaseName(name)) return name;
  const shown = typeof name === 'string' ? `"${name.slice(0, 100)}"` : inspect(name, { depth: 0 });
  throw optionInvalid(
    `${shown} cannot be the name of a database. Use letters, digits, _ and -, beginning with a letter, at most 63 bytes.`,
    { name },
  );
}
