import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, escapeLiteral, Query } from 'pg';
import type { ConnectionOptions } from '../connection/connection-options.ts';
import { PostgresqlClient, postgresqlConfig } from '../connection/postgresql-client.ts';
import {
  type AdminNames,
  type DatabaseAdmin,
  nameTaken,
  type SqlSession,
  templateInUse,
  templateMissing,
} from './database-admin.ts';

/** The database that every server has, and that nobody clones. */
const maintenance = 'postgres';
/** How long clients of a database may take to leave before it is dropped, in milliseconds. */
const leaveTimeout = 500;
const leaveInterval = 5;
const limits = { connectTimeout: 10_000, queryTimeout: 60_000 };

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** `pg` has these, its types do not. */
type ReferencedClient = PostgresqlClient & { ref(): void; unref(): void };

/** Over one connection that is opened when it is needed, and again when it was lost. */
export class Admin implements DatabaseAdmin {
  #connection: ConnectionOptions;
  #client: Promise<ReferencedClient> | undefined;
  #hasStrategies = false;
  /** Ends when all that was asked is answered: `pg` takes one query at a time. */
  #answered: Promise<unknown> = Promise.resolve();

  /** It connects to a database that nobody clones. */
  constructor(connection: ConnectionOptions, database = maintenance) {
    this.#connection = { ...connection, database };
  }

  async ensureNames({ users, password, database }: AdminNames): Promise<void> {
    const text = escapeLiteral(password);
    const roles = users.map((user) => {
      const missing = `IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${escapeLiteral(user)})`;
      const make = `DO $jig$ BEGIN ${missing} THEN CREATE ROLE ${quoted(user)}; END IF; END $jig$`;
      return `${make}; ALTER ROLE ${quoted(user)} SUPERUSER LOGIN CREATEDB CREATEROLE REPLICATION PASSWORD ${text}`;
    });
    await this.#query(roles.join('; '));
    if (users.includes(this.#connection.user)) this.#connection = { ...this.#connection, password };
    const [owner = this.#connection.user] = users;
    if (await this.exists(database)) return;
    await this.create(database);
    await this.#query(`ALTER DATABASE ${quoted(database)} OWNER TO ${quoted(owner)}`);
  }

  async exists(name: string): Promise<boolean> {
    return (await this.#query('SELECT 1 FROM pg_database WHERE datname = $1', [name])).length > 0;
  }

  async create(name: string): Promise<void> {
    await this.#make(name, '', 'template1');
  }

  async clone(template: string, name: string): Promise<void> {
    await this.#make(name, '', template);
  }

  async cloneAsTemplate(source: string, name: string): Promise<void> {
    if (await this.exists(name)) {
      // A template cannot be dropped.
      await this.#query(`ALTER DATABASE ${quoted(name)} IS_TEMPLATE false`);
      await this.drop(name);
    }
    await this.#make(name, 'IS_TEMPLATE true ALLOW_CONNECTIONS false', source);
  }

  async replace(name: string, fresh: string): Promise<void> {
    await this.#query(`DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`);
    await this.#query(`ALTER DATABASE ${quoted(fresh)} RENAME TO ${quoted(name)}`);
  }

  async drop(name: string): Promise<void> {
    // `pool.end()` of pg does not wait for its connections, and cutting them off would be an uncaught error.
    const deadline = Date.now() + leaveTimeout;
    while (Date.now() < deadline && (await this.#hasClients(name))) await sleep(leaveInterval);
    await this.#query(`DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`);
  }

  async dropUnused(name: string): Promise<boolean> {
    // Without this, the server would wait five seconds for others to leave.
    if (await this.#hasClients(name)) return false;
    await this.#query(`DROP DATABASE IF EXISTS ${quoted(name)}`);
    return true;
  }

  async #hasClients(name: string): Promise<boolean> {
    return (await this.#query('SELECT 1 FROM pg_stat_activity WHERE datname = $1 LIMIT 1', [name])).length > 0;
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    client?.ref();
    await client?.end().catch(() => {});
  }

  /** The codes are those of PostgreSQL, appendix A. */
  async #make(name: string, kind: string, template: string): Promise<void> {
    try {
      await this.#connected();
      // Before PostgreSQL 15 files are always copied. The number names the folder: with those of an earlier run, ext4 would put it where that
      // one has removed its files (see `spreadFolders`).
      const how = this.#hasStrategies ? `STRATEGY file_copy OID = ${randomInt(2 ** 20, 2 ** 31)}` : '';
      await this.#query(`CREATE DATABASE ${quoted(name)} TEMPLATE ${quoted(template)} ${how} ${kind}`);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === '42P04') throw nameTaken(name, error);
      if (code === '3D000') throw templateMissing(template, error);
      if (code === '55006') throw templateInUse(template, error);
      throw error;
    }
  }

  #query(statement: string, values: readonly string[] = []): Promise<readonly unknown[]> {
    const answer = this.#answered.then(() => this.#ask(statement, values));
    this.#answered = answer.catch(() => {});
    return answer;
  }

  /** Node exits while nothing is asked, so that whoever forgets to close this can still exit. */
  async #ask(statement: string, values: readonly string[]): Promise<readonly unknown[]> {
    const client = await this.#connected();
    client.ref();
    try {
      return (await client.query(statement, [...values])).rows;
    } finally {
      client.unref();
    }
  }

  #connected(): Promise<ReferencedClient> {
    this.#client ??= this.#connect().catch((error: unknown) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  async #connect(): Promise<ReferencedClient> {
    const client = new PostgresqlClient(postgresqlConfig(this.#connection, limits)) as ReferencedClient;
    const forget = () => {
      this.#client = undefined;
    };
    client.on('error', forget).on('end', forget);
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num');
    this.#hasStrategies = Number(rows[0]?.server_version_num) >= 150_000;
    return client;
  }
}

async function connect(connection: ConnectionOptions): Promise<PostgresqlClient> {
  const client = new PostgresqlClient(postgresqlConfig(connection, { ...limits, queryTimeout: 0 }));
  client.on('error', () => {});
  return client.connect();
}

export async function openSession(connection: ConnectionOptions): Promise<SqlSession> {
  const client = await connect(connection);
  return {
    run: async (statement, data) =>
      void (await (data === undefined ? client.query(statement) : copyFrom(client, statement, data))),
    rows: async (statement, values = []) => (await client.query<Record<string, unknown>>(statement, [...values])).rows,
    close: () => client.end(),
  };
}

/** Runs the work in a transaction that is rolled back. */
export async function rollBackAfter<Result>(
  connection: ConnectionOptions,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect(connection);
  try {
    await client.query('BEGIN');
    return await work(client);
  } finally {
    // The end of the connection rolls back what a lost one cannot.
    await client.query('ROLLBACK').catch(() => {});
    await client.end();
  }
}

/** What `pg` calls on its connection while a COPY runs; its types leave it out. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

function copyFrom(client: PostgresqlClient, statement: string, data: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = new Query(statement);
    Object.assign(query, {
      handleCopyInResponse(connection: CopyConnection) {
        connection.sendCopyFromChunk(Buffer.from(data));
        connection.endCopyFrom();
      },
    });
    query.on('end', () => resolve());
    query.on('error', reject);
    client.query(query);
  });
}
