import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { type Client, escapeIdentifier, escapeLiteral, Pool } from 'pg';
import { type ConnectionOptions, type DatabaseAddress, databaseAddress } from './connection/address.ts';
import { connect, PostgresqlClient, postgresqlConfig } from './connection/postgresql-client.ts';
import { DatabaseError, optionInvalid } from './errors.ts';

/** What a test can do with a database. */
export interface TestedDatabase extends DatabaseAddress {
  readonly name: string;
  /** Resets it to its template: the main database to your migrations. Ends the connections to it. */
  reset(): Promise<void>;
  /** Runs the work in a transaction that is rolled back. */
  transaction<Result>(work: (client: Client) => Promise<Result>): Promise<Result>;
}

/** The main database of a server, which can create others. */
export interface MainDatabase extends TestedDatabase, AsyncDisposable {
  /** Creates an empty database. */
  create(name: string): Promise<DatabaseCopy>;
  /** Creates a copy of the template: the database with your migrations, otherwise the main database. */
  clone(template?: string): Promise<DatabaseCopy>;
}

/** One database of a server, for a test of its own. */
export interface DatabaseCopy extends TestedDatabase, AsyncDisposable {
  /** Removes it, and ends the connections to it. */
  drop(): Promise<void>;
}

/** The database with the migrations, which `clone()` copies; it accepts no connections. */
export const templateName = 'jig_template';
/** PostgreSQL's template for empty databases. */
export const emptyTemplate = 'template1';
/** The database that every server has and that is never cloned. */
const maintenanceDatabase = 'postgres';
/** How long clients may take to disconnect before a database is dropped, in milliseconds. */
const disconnectTimeout = 500;
const disconnectInterval = 5;
/** Long, since concurrent calls wait for the one connection. */
const timeouts = { connectTimeout: 60_000, queryTimeout: 60_000 };

/** Creates and drops databases of a running server, over one connection that is opened on demand. */
export class Databases {
  /** To the main database. */
  #connection: ConnectionOptions;
  /** Of one connection, which stays open and does not keep Node running. */
  readonly #pool: Pool;
  #hasTemplate = false;

  /** @param from the database to connect to, which must never be cloned */
  constructor(connection: ConnectionOptions, from = maintenanceDatabase) {
    this.#connection = connection;
    this.#pool = new Pool({
      ...postgresqlConfig({ ...connection, database: from }, timeouts),
      password: () => this.#connection.password,
      Client: PostgresqlClient,
      max: 1,
      idleTimeoutMillis: 0,
      allowExitOnIdle: true,
    });
    this.#pool.on('error', () => {});
  }

  /** Creates the superusers and the main database if they are missing. */
  async ensureUsersAndDatabase(users: readonly string[], password: string, database: string): Promise<void> {
    const roles = users.map((user) => {
      const missing = `IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${escapeLiteral(user)})`;
      const make = `DO $jig$ BEGIN ${missing} THEN CREATE ROLE ${escapeIdentifier(user)}; END IF; END $jig$`;
      const rights = `SUPERUSER LOGIN CREATEDB CREATEROLE REPLICATION PASSWORD ${escapeLiteral(password)}`;
      return `${make}; ALTER ROLE ${escapeIdentifier(user)} ${rights}`;
    });
    await this.#query(roles.join('; '));
    const [user = this.#connection.user] = users;
    this.#connection = { ...this.#connection, user, password, database };
    if (await this.exists(database)) return;
    await this.createFrom(database, emptyTemplate);
    await this.#query(`ALTER DATABASE ${escapeIdentifier(database)} OWNER TO ${escapeIdentifier(user)}`);
  }

  /** Keeps the main database as it is now for `clone`. */
  async keepTemplate(): Promise<void> {
    if (await this.exists(templateName)) {
      // A template cannot be dropped.
      await this.#query(`ALTER DATABASE ${templateName} IS_TEMPLATE false`);
      await this.#query(`DROP DATABASE ${templateName} WITH (FORCE)`);
    }
    await this.createFrom(templateName, this.#connection.database, 'IS_TEMPLATE true ALLOW_CONNECTIONS false');
    this.#hasTemplate = true;
  }

  /** The main database, for code that started or reached the server; `end` is called at the end of `await using`. */
  main(end: () => Promise<void>): MainDatabase {
    return {
      ...this.#tested(this.#connection.database),
      create: async (name) => {
        await this.createFrom(checkedName(name), emptyTemplate);
        return this.#copy(name, emptyTemplate);
      },
      clone: async (template) => {
        const source = template === undefined ? await this.#defaultTemplate() : checkedName(template);
        const name = randomName();
        await this.createFrom(name, source);
        return this.#copy(name, source);
      },
      [Symbol.asyncDispose]: end,
    };
  }

  #copy(name: string, source: string): DatabaseCopy {
    const drop = () => this.drop(name);
    return { ...this.#tested(name, source), drop, [Symbol.asyncDispose]: drop };
  }

  #tested(name: string, source?: string): TestedDatabase {
    const connection = { ...this.#connection, database: name };
    return {
      name,
      ...databaseAddress(connection),
      reset: () => this.#reset(name, source),
      transaction: (work) => rollBackAfter(connection, work),
    };
  }

  async #reset(name: string, source?: string): Promise<void> {
    const from = source ?? (await this.#defaultTemplate());
    if (from === name)
      throw new DatabaseError(
        'JIG_DATABASE_TEMPLATE_UNUSABLE',
        `There is nothing to put the database "${name}" back to. Give startDatabase your migrations or a seed; reset() goes back to what they made.`,
        { fields: { template: name } },
      );
    const fresh = randomName();
    await this.createFrom(fresh, from);
    await this.#query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`);
    await this.#query(`ALTER DATABASE ${escapeIdentifier(fresh)} RENAME TO ${escapeIdentifier(name)}`);
  }

  async #defaultTemplate(): Promise<string> {
    this.#hasTemplate ||= await this.exists(templateName);
    return this.#hasTemplate ? templateName : this.#connection.database;
  }

  async exists(name: string): Promise<boolean> {
    return (await this.#query('SELECT FROM pg_database WHERE datname = $1', [name])).length > 0;
  }

  /** Creates a copy of the template. */
  async createFrom(name: string, template: string, kind = ''): Promise<void> {
    // A new number, hence a new folder for ext4 (see `spreadFolders`).
    const how = `STRATEGY file_copy OID = ${randomInt(2 ** 20, 2 ** 31)} ${kind}`;
    try {
      await this.#query(`CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE ${escapeIdentifier(template)} ${how}`);
    } catch (error) {
      throw explainCreateError(error, name, template);
    }
  }

  /** Gives clients a moment to disconnect, then ends their connections. */
  async drop(name: string): Promise<void> {
    // `pool.end()` of pg does not wait for its connections, and cutting them off would be an uncaught error.
    const deadline = performance.now() + disconnectTimeout;
    const clients = () => this.#query('SELECT FROM pg_stat_activity WHERE datname = $1 LIMIT 1', [name]);
    while (performance.now() < deadline && (await clients()).length > 0) await sleep(disconnectInterval);
    await this.#query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`);
  }

  /** Drops databases with that prefix if nobody is connected to them, or anywhere with their name as `application_name`. */
  async dropAbandoned(prefix: string): Promise<void> {
    const abandoned = await this.#query(
      `SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)
         AND NOT EXISTS (SELECT FROM pg_stat_activity WHERE pg_database.datname IN (application_name, pg_stat_activity.datname))`,
      [prefix],
    );
    // Another worker may be doing the same.
    for (const { name } of abandoned as { name: string }[])
      await this.#query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)}`).catch(() => {});
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }

  async #query(statement: string, values: readonly string[] = []): Promise<readonly unknown[]> {
    return (await this.#pool.query(statement, [...values])).rows;
  }
}

/** The codes are those of PostgreSQL, appendix A. */
function explainCreateError(cause: unknown, name: string, template: string): unknown {
  const { code } = cause as { code?: string };
  // 23505 is what concurrent attempts get.
  if (code === '42P04' || code === '23505')
    return new DatabaseError(
      'JIG_DATABASE_EXISTS',
      `There is a database "${name}" already. Choose another name, or drop it first.`,
      { cause, fields: { database: name } },
    );
  const why = {
    '3D000': `There is no database "${template}" to clone. Name one that exists.`,
    '55006': `The database "${template}" cannot be cloned while somebody is connected to it. Close those connections, or give your migrations to startDatabase, which keeps a template that nobody connects to.`,
  }[code ?? ''];
  if (why === undefined) return cause;
  return new DatabaseError('JIG_DATABASE_TEMPLATE_UNUSABLE', why, { cause, fields: { template } });
}

const randomName = () => `jig_${randomBytes(6).toString('hex')}`;

const reserved = ['template0', 'template1', templateName];

/** PostgreSQL allows 63 bytes; no characters with a meaning in paths. */
export function isDatabaseName(name: unknown): name is string {
  if (typeof name !== 'string' || reserved.includes(name)) return false;
  return /^[\p{L}_][\p{L}\p{N}_$-]{0,62}$/u.test(name) && Buffer.byteLength(name) <= 63;
}

function checkedName(name: unknown): string {
  if (isDatabaseName(name)) return name;
  const shown = inspect(name, { depth: 0, maxStringLength: 100 });
  throw optionInvalid(
    `${shown} cannot be the name of a database. Use letters, digits, _ and -, beginning with a letter, at most 63 bytes, and none of ${reserved.join(', ')}.`,
    { name },
  );
}

/** Runs the work in a transaction that is rolled back. */
async function rollBackAfter<Result>(
  connection: ConnectionOptions,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect(connection, { ...timeouts, queryTimeout: 0 });
  try {
    await client.query('BEGIN');
    return await work(client);
  } finally {
    // If this fails, the end of the connection rolls back.
    await client.query('ROLLBACK').catch(() => {});
    await client.end();
  }
}
