import { readdirSync, readFileSync } from 'node:fs';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExternalDatabase } from '../../packages/embedded-database/src/add-on/database.ts';
import { DatabasePool } from '../../packages/embedded-database/src/add-on/database-pool.ts';
import { DatabaseSessionStore } from '../../packages/embedded-database/src/add-on/session-store.ts';
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

async function openPostgresql(): Promise<OpenedStore> {
  const server = await temporaryServer();
  const direct = new Pool(server.connection);
  const database = new ExternalDatabase(server.connection, poolOptions);
  const store = new DatabaseSessionStore(database, new DatabasePool(database, poolOptions), 60_000);
  await store.start();
  return {
    store,
    put: async (id, form) => {
      await direct.query(`INSERT INTO jig_session VALUES ($1, $2, now() + interval '30 minutes')`, [id, jsonOf(form)]);
    },
    stored: async (id) => {
      const sql = 'SELECT attributes::text AS attributes FROM jig_session WHERE id = $1';
      const { rows } = await direct.query<{ attributes: string }>(sql, [id]);
      return sorted(Object.entries(JSON.parse(String(rows[0]?.attributes)) as Record<string, unknown>));
    },
    expected: ({ database: form }) => sorted(form.attributes),
    close: async () => {
      await store.stop();
      await direct.end();
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
])('sessions in %s', (_name, open) => {
  const opening = open();
  let opened: OpenedStore;

  beforeAll(async () => {
    opened = await opening;
  });

  afterAll(() => opened.close());

  it.each(versions)('of version %s are read and changed', async (version) => {
    const form = formOf(version);
    const id = `old ${version}`;
    await opened.put(id, form);
    expect((await opened.store.read(id))?.attributes).toEqual(new Map(form.attributes));
    expect(await opened.store.merge(id, new Map([['zoneID', 'UTC']]), { limits, timeToLive })).toBe('stored');
    await opened.store.touch(id, timeToLive);
    expect((await opened.store.read(id))?.attributes).toEqual(new Map([...form.attributes, ['zoneID', 'UTC']]));
  });

  it.each(versions)('are stored in the form that version %s reads', async (version) => {
    const form = formOf(version);
    const id = `new ${version}`;
    expect(await opened.store.merge(id, new Map(form.attributes), { limits, timeToLive })).toBe('stored');
    expect(await opened.stored(id)).toEqual(opened.expected(form));
  });
});
