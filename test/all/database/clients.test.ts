import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type RunningDatabase, startDatabase } from '@jig/embedded-database';
import { PrismaPg } from '@prisma/adapter-pg';
import { sql as drizzleSql } from 'drizzle-orm';
import { drizzle as drizzleOnPg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzleOnPostgres } from 'drizzle-orm/postgres-js';
import knex from 'knex';
import { Kysely, sql as kyselySql, PostgresDialect } from 'kysely';
import pg from 'pg';
import postgres from 'postgres';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const question = 'select 6 * 7 as answer';

/** How each client asks, given nothing but the address. */
const clients: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  async pg(url) {
    const client = new pg.Client(url);
    await client.connect();
    const { rows } = await client.query<{ answer: number }>(question);
    await client.end();
    return rows[0]?.answer;
  },
  async 'pg.Pool'(url) {
    const pool = new pg.Pool({ connectionString: url });
    const { rows } = await pool.query<{ answer: number }>(question);
    await pool.end();
    return rows[0]?.answer;
  },
  async 'Drizzle on pg'(url) {
    const client = new pg.Pool({ connectionString: url });
    const { rows } = await drizzleOnPg({ client }).execute(drizzleSql.raw(question));
    await client.end();
    return rows[0]?.answer;
  },
  async Knex(url) {
    const client = knex({ client: 'pg', connection: url });
    const { rows } = (await client.raw(question)) as { rows: { answer: number }[] };
    await client.destroy();
    return rows[0]?.answer;
  },
  async Kysely(url) {
    const client = new Kysely<object>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
    });
    const { rows } = await kyselySql<{ answer: number }>`select 6 * 7 as answer`.execute(client);
    await client.destroy();
    return rows[0]?.answer;
  },
  async TypeORM(url) {
    const client = await new DataSource({ type: 'postgres', url }).initialize();
    const [row] = (await client.query(question)) as { answer: number }[];
    await client.destroy();
    return row?.answer;
  },
  async 'the adapter of Prisma'(url) {
    const client = await new PrismaPg({ connectionString: url }).connect();
    const { rows } = await client.queryRaw({ sql: question, args: [], argTypes: [] });
    await client.dispose();
    return rows[0]?.[0];
  },
  async psql(url) {
    return Number((await promisify(execFile)('psql', ['--no-psqlrc', '-At', url, '-c', question])).stdout);
  },
  async postgres(url) {
    const client = postgres(url);
    const [row] = await client.unsafe(question);
    await client.end();
    return row?.answer;
  },
  async 'Drizzle on postgres'(url) {
    const client = postgres(url);
    const [row] = await drizzleOnPostgres({ client }).execute(drizzleSql.raw(question));
    await client.end();
    return row?.answer;
  },
};

describe('a database', () => {
  let database: RunningDatabase;

  beforeAll(async () => {
    database = await startDatabase();
  });

  afterAll(() => database?.stop());

  it.each(Object.entries(clients))('accepts %s with its url', async (_name, ask) => {
    expect(await ask(database.url)).toBe(42);
  });

  it('accepts psql with the variables of its environment', async () => {
    const env = { PATH: process.env.PATH, ...database.environment };
    const { stdout } = await promisify(execFile)('psql', ['--no-psqlrc', '-At', '-c', question], { env });
    expect(stdout).toBe('42\n');
  });
});
