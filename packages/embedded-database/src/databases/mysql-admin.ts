import type { Socket } from 'node:net';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import type { ConnectionOptions } from '../connection/connection-options.ts';
import { mysqlConfig } from '../connection/mysql-client.ts';
import { type AdminNames, type DatabaseAdmin, nameTaken, type SqlSession, templateMissing } from './database-admin.ts';

const connectTimeout = 10_000;

const quoted = (name: string) => `\`${name.replaceAll('`', '``')}\``;

/** Over one connection that is opened when it is needed, and again when it was lost. */
export class Admin implements DatabaseAdmin {
  #connection: ConnectionOptions;
  #client: Promise<Connection> | undefined;
  /** Node exits while nothing is asked, so that whoever forgets to close this can still exit. */
  #pending = 0;

  constructor(connection: ConnectionOptions, _maintenance?: string) {
    this.#connection = connection;
  }

  async ensureNames({ users, password, database }: AdminNames): Promise<void> {
    await this.#use(async (client) => {
      for (const user of users)
        for (const host of ['localhost', '127.0.0.1']) {
          const account = `${client.escape(user)}@${client.escape(host)}`;
          await client.query(`CREATE USER IF NOT EXISTS ${account}`);
          await client.query(`ALTER USER ${account} IDENTIFIED BY ${client.escape(password)}`);
          await client.query(`GRANT ALL PRIVILEGES ON *.* TO ${account} WITH GRANT OPTION`);
        }
    });
    if (users.includes(this.#connection.user)) this.#connection = { ...this.#connection, password };
    if (!(await this.exists(database))) await this.create(database);
  }

  async exists(name: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM information_schema.schemata WHERE schema_name = ?';
    return this.#use(async (client) => (await rows(client, sql, name)).length > 0);
  }

  async create(name: string): Promise<void> {
    const statement = `CREATE DATABASE ${quoted(name)} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`;
    try {
      await this.#use((client) => client.query(statement));
    } catch (error) {
      if ((error as { code?: string }).code === 'ER_DB_CREATE_EXISTS') throw nameTaken(name, error);
      throw error;
    }
  }

  /** MySQL has no templates: each object is made again, and the rows of each table are copied. */
  async clone(template: string, name: string): Promise<void> {
    if (!(await this.exists(template))) throw templateMissing(template);
    await this.create(name);
    // Of its own, since the settings of the connection are changed.
    const client = await createConnection(mysqlConfig({ ...this.#connection, database: name }, { connectTimeout }));
    try {
      await copySchema(client, template, name);
    } catch (error) {
      await this.drop(name);
      throw error;
    } finally {
      client.destroy();
    }
  }

  async cloneAsTemplate(source: string, name: string): Promise<void> {
    await this.drop(name);
    await this.clone(source, name);
  }

  /** MySQL cannot rename a database. */
  async replace(name: string, fresh: string): Promise<void> {
    await this.drop(name);
    await this.clone(fresh, name);
    await this.drop(fresh);
  }

  async drop(name: string): Promise<void> {
    await this.#use(async (client) => {
      for (const { id } of await usersOf(client, name)) await client.query(`KILL ${Number(id)}`).catch(() => {});
      await client.query(`DROP DATABASE IF EXISTS ${quoted(name)}`);
    });
  }

  async dropUnused(name: string): Promise<boolean> {
    return this.#use(async (client) => {
      if ((await usersOf(client, name)).length > 0) return false;
      await client.query(`DROP DATABASE IF EXISTS ${quoted(name)}`);
      return true;
    });
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    (await client?.catch(() => undefined))?.destroy();
  }

  async #use<Result>(work: (client: Connection) => Promise<Result>): Promise<Result> {
    this.#pending++;
    try {
      const client = await this.#connected();
      const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
      stream.ref();
      try {
        return await work(client);
      } finally {
        if (this.#pending === 1) stream.unref();
      }
    } finally {
      this.#pending--;
    }
  }

  #connected(): Promise<Connection> {
    this.#client ??= this.#connect().catch((error: unknown) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  async #connect(): Promise<Connection> {
    const client = await createConnection(mysqlConfig(this.#connection, { connectTimeout }));
    const forget = () => {
      this.#client = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    return client;
  }
}

const usersOf = (client: Connection, database: string) =>
  rows(client, 'SELECT id FROM information_schema.processlist WHERE db = ?', database);

async function rows(client: Connection, sql: string, ...values: string[]): Promise<RowDataPacket[]> {
  return (await client.query<RowDataPacket[]>(sql, values))[0];
}

/** Tables first and with their rows, then what refers to them. */
async function copySchema(client: Connection, from: string, to: string): Promise<void> {
  await client.query(`SET foreign_key_checks = 0, unique_checks = 0, sql_mode = 'NO_AUTO_VALUE_ON_ZERO'`);
  const tables = await rows(client, `SHOW FULL TABLES FROM ${quoted(from)}`);
  const named = tables.map((row) => Object.values(row).map(String) as [name: string, kind: string]);
  const ofKind = (wanted: string) => named.filter(([, kind]) => kind === wanted).map(([name]) => name);
  for (const table of ofKind('BASE TABLE')) {
    await client.query(await definition(client, 'TABLE', from, table, to));
    const columns = await storedColumns(client, from, table);
    const list = columns.map(quoted).join(', ');
    if (columns.length > 0)
      await client.query(`INSERT INTO ${quoted(table)} (${list}) SELECT ${list} FROM ${quoted(from)}.${quoted(table)}`);
  }
  const routines = 'SELECT routine_name AS name, routine_type AS kind FROM information_schema.routines';
  for (const { name, kind } of await rows(client, `${routines} WHERE routine_schema = ?`, from))
    await client.query(await definition(client, String(kind), from, String(name), to));
  for (const view of await viewsInOrder(client, from, ofKind('VIEW')))
    await client.query(await definition(client, 'VIEW', from, view, to));
  const triggers = 'SELECT trigger_name AS name FROM information_schema.triggers WHERE trigger_schema = ?';
  for (const { name } of await rows(client, `${triggers} ORDER BY action_order`, from))
    await client.query(await definition(client, 'TRIGGER', from, String(name), to));
}

/** The statement that makes the object, with the name of the new database in the place of the old. */
async function definition(client: Connection, kind: string, from: string, name: string, to: string): Promise<string> {
  const [row = {}] = await rows(client, `SHOW CREATE ${kind} ${quoted(from)}.${quoted(name)}`);
  const [, statement = ''] =
    Object.entries(row).find(([column]) => /^Create |^SQL Original Statement$/.test(column)) ?? [];
  return String(statement).replaceAll(`${quoted(from)}.`, `${quoted(to)}.`);
}

/** Those that are not computed from others. */
async function storedColumns(client: Connection, schema: string, table: string): Promise<string[]> {
  const sql =
    'SELECT column_name AS name, extra FROM information_schema.columns WHERE table_schema = ? AND table_name = ?';
  const all = await rows(client, `${sql} ORDER BY ordinal_position`, schema, table);
  return all
    .filter(({ extra }) => !/\b(?:VIRTUAL|STORED|PERSISTENT)\b/i.test(String(extra)))
    .map(({ name }) => String(name));
}

/** A view comes after those that it reads. */
async function viewsInOrder(client: Connection, schema: string, views: readonly string[]): Promise<string[]> {
  const sql = 'SELECT view_definition AS text FROM information_schema.views WHERE table_schema = ? AND table_name = ?';
  const waiting = new Map<string, string>();
  for (const view of views) waiting.set(view, String((await rows(client, sql, schema, view))[0]?.text));
  const ordered: string[] = [];
  while (waiting.size > 0) {
    const free = [...waiting].filter(([, text]) => ![...waiting.keys()].some((other) => text.includes(quoted(other))));
    // Views cannot read each other in a circle; a column may have the name of a view.
    for (const [view] of free.length > 0 ? free : [...waiting]) {
      ordered.push(view);
      waiting.delete(view);
    }
  }
  return ordered;
}

export async function openSession(connection: ConnectionOptions): Promise<SqlSession> {
  const client = await createConnection(mysqlConfig(connection, { connectTimeout }));
  client.on('error', () => {});
  return {
    run: async (statement) => void (await client.query(statement)),
    rows: async (statement, values = []) => {
      const [found] = await client.query<RowDataPacket[]>(statement, [...values]);
      return Array.isArray(found) ? found : [];
    },
    close: () => client.end(),
  };
}
