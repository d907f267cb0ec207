import { readdirSync, readFileSync } from 'node:fs';
import type { Pool as MysqlPool, RowDataPacket } from 'mysql2/promise';
import type { Pool as PostgresqlPool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mariadb } from '../../packages/embedded-database/src/engines/mysql.ts';
import { postgresql } from '../../packages/embedded-database/src/engines/postgresql.ts';
import { mysqlPool } from '../../packages/embedded-database/src/pool/mysql-pool.ts';
import { postgresqlPool } from '../../packages/embedded-database/src/pool/postgresql-pool.ts';
import { MysqlSessionStore } from '../../packages/embedded-database/src/session-store/mysql-session-store.ts';
import { PostgresqlSessionStore } from '../../packages/embedded-database/src/session-store/postgresql-session-store.ts';
import { temporaryServer } from '../../packages/embedded-database/test-fixtures/temporary-server.ts';
import { RedisConnection } from '../../packages/redis-sessions/src/redis-connection.ts';
import { RedisSessionStore } from '../../packages/redis-sessions/src/redis-session-store.ts';
import { RedisServer } from '../../packages/redis-sessions/test-fixtures/redis-server.ts';
import type { SessionStore } from '../../packages/sessions/src/session-store.ts';

/** How a released version stores one session, as lists, since a name such as `__proto__` is lost in an object. */
interface StoredForm {
  readonly attributes: readonly (readonly [string, string])[];
  /** The fields of the hash, without the time of expiry. */
  readonly redis: readonly (readonly [string, string])[];
  readonly database: {
    /** The version of the tables that this release knows. An older one would refuse to start on newer tables. */
    readonly schema: number;
    readonly attributes: readonly (readonly [string, readonly [string, number]])[];
  };
}

/** A store, and how to see what it keeps without it. */
interface OpenedStore {
  readonly store: SessionStore;
  readonly put: (id: string, form: StoredForm) => Promise<void>;
  readonly stored: (id: string) => Promise<unknown>;
  readonly expected: (form: StoredForm) => unknown;
  readonly close: () => Promise<void>;
}

const folder = new URL('./stored-forms/', import.meta.url);
const versions = readdirSync(folder).map((name) => name.replace(/\.json$/, ''));
const limits = { maximumAttributes: 100, maximumBytes: 64 * 1024 };
const timeToLive = 30 * 60_000;
const poolOptions = { size: 2, connectTimeout: 10_000, queryTimeout: 10_000 };

const formOf = (version: string) => JSON.parse(readFileSync(new URL(`${version}.json`, folder), 'utf8')) as StoredForm;
const jsonOf = ({ database }: StoredForm) => JSON.stringify(Object.fromEntries(database.attributes));
const sorted = (entries: readonly (readonly [string, unknown])[]) =>
  entries.toSorted(([one], [other]) => (one < other ? -1 : 1));

async function openRedis(): Promise<OpenedStore> {
  const server = await RedisServer.start();
  const log = { info: () => {}, warn: () => {} };
  const redis = new RedisConnection({ url: server.url, connectTimeout: 10_000, commandTimeout: 10_000, log });
  await redis.start();
  const key = (id: string) => `jig:session:${id}`;
  return {
    store: new RedisSessionStore(redis, { prefix: 'jig:session:' }),
    put: async (id, form) => {
      const expires = String(Date.now() + timeToLive);
      await redis.send(['HSET', key(id), ...form.redis.flat(), '\\expires', expires]);
      await redis.send(['PEXPIREAT', key(id), expires]);
    },
    stored: async (id) => {
      const words = (await redis.send(['HGETALL', key(id)])) as string[];
      const fields = words.flatMap((name, index): [string, string][] =>
        index % 2 === 0 && name !== '\\expires' ? [[name, words[index + 1] ?? '']] : [],
      );
      return sorted(fields);
    },
    expected: (form) => sorted(form.redis),
    close: async () => {
      redis.stop();
      await server.stop();
    },
  };
}

/** What both kinds of database have in common: a row with JSON, and the version of the tables. */
const seenInRow = (schema: unknown, attributes: unknown) => ({
  schema: Number(schema),
  attributes: sorted(Object.entries(JSON.parse(String(attributes)) as Record<string, unknown>)),
});
const expectedInRow = (form: StoredForm) => ({
  schema: form.database.schema,
  attributes: sorted(form.database.attributes),
});

async function openPostgresql(): Promise<OpenedStore> {
  const server = await temporaryServer(postgresql);
  const pool: PostgresqlPool = postgresqlPool(server.connection, poolOptions);
  const store = new PostgresqlSessionStore(pool, poolOptions.queryTimeout);
  await store.migrate();
  return {
    store,
    put: async (id, form) => {
      await pool.query(`INSERT INTO jig_session VALUES ($1, $2, now() + interval '30 minutes')`, [id, jsonOf(form)]);
    },
    stored: async (id) => {
      const sql = `SELECT attributes::text AS attributes, (SELECT max(version) FROM jig_schema) AS schema
                   FROM jig_session WHERE id = $1`;
      const { rows } = await pool.query<{ schema: number; attributes: string }>(sql, [id]);
      return seenInRow(rows[0]?.schema, rows[0]?.attributes);
    },
    expected: expectedInRow,
    close: async () => {
      await pool.end();
      await server.stop();
    },
  };
}

async function openMysql(): Promise<OpenedStore> {
  const server = await temporaryServer(mariadb);
  const pool: MysqlPool = mysqlPool(server.connection, poolOptions);
  const store = new MysqlSessionStore(pool, poolOptions.queryTimeout);
  await store.migrate();
  return {
    store,
    put: async (id, form) => {
      // As 0.1.0 does it.
      await pool.query('CALL jig_session_merge(?, ?, ?, 100, 65536)', [id, jsonOf(form), timeToLive]);
    },
    stored: async (id) => {
      const sql = 'SELECT attributes, (SELECT MAX(version) FROM jig_schema) AS `schema` FROM jig_session WHERE id = ?';
      const [rows] = await pool.query<RowDataPacket[]>(sql, [id]);
      return seenInRow(rows[0]?.schema, rows[0]?.attributes);
    },
    expected: expectedInRow,
    close: async () => {
      await pool.end();
      await server.stop();
    },
  };
}

it('every released version has its stored form', () => {
  const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const released = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version);
  expect(new Set(versions)).toEqual(new Set(released));
});

describe.each([
  ['Redis', openRedis],
  ['PostgreSQL', openPostgresql],
  ['MySQL or MariaDB', openMysql],
])('sessions in %s', (_name, open) => {
  const opening = open();
  let opened: OpenedStore;

  beforeAll(async () => {
    opened = await opening;
  });

  afterAll(() => opened.close());

  it.each(versions)('that version %s stored are read and changed', async (version) => {
    const form = formOf(version);
    const id = `old ${version}`;
    await opened.put(id, form);
    expect((await opened.store.read(id))?.attributes).toEqual(new Map(form.attributes));
    expect(await opened.store.merge(id, new Map([['zoneID', 'UTC']]), { limits, timeToLive })).toBe('stored');
    await opened.store.touch(id, timeToLive);
    expect((await opened.store.read(id))?.attributes).toEqual(new Map([...form.attributes, ['zoneID', 'UTC']]));
  });

  it.each(versions)('are stored as version %s reads them', async (version) => {
    const form = formOf(version);
    const id = `new ${version}`;
    expect(await opened.store.merge(id, new Map(form.attributes), { limits, timeToLive })).toBe('stored');
    expect(await opened.stored(id)).toEqual(opened.expected(form));
  });
});
