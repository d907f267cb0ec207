import { randomUUID } from 'node:crypto';
import { type SessionStoreFactory, sessionStoreCases } from '@jig/sessions/store-suite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisServer } from '../test-fixtures/redis-server.ts';
import { RedisConnection } from './redis-connection.ts';
import { RedisSessionStore } from './redis-session-store.ts';

const limits = { maximumAttributes: 10, maximumBytes: 1000 };
const log = { info: () => {}, warn: () => {} };

describe('sessions in Redis', () => {
  let server: RedisServer;
  let redis: RedisConnection;

  beforeAll(async () => {
    server = await RedisServer.start();
    redis = new RedisConnection({ url: new URL(server.url), connectTimeout: 5000, commandTimeout: 5000, log });
    await redis.start();
  }, 30_000);

  afterAll(async () => {
    redis.stop();
    await server.stop();
  });

  const create: SessionStoreFactory = async ({ timeToLive }) => ({
    store: new RedisSessionStore(redis, { prefix: `${randomUUID()}*[`, timeToLive }),
  });

  describe('as every store', () => {
    it.each(sessionStoreCases)('$name', { timeout: 30_000 }, (storeCase) => storeCase.run(create));
  });

  it('are seen by every instance on the same Redis', async () => {
    const other = new RedisConnection({ url: new URL(server.url), connectTimeout: 5000, commandTimeout: 5000, log });
    await other.start();
    const options = { prefix: randomUUID(), timeToLive: 60_000 };
    await new RedisSessionStore(redis, options).merge('id', new Map([['zoneID', 'UTC']]), limits);
    const seen = await new RedisSessionStore(other, options).read('id');
    expect(seen?.attributes).toEqual(new Map([['zoneID', 'UTC']]));
    other.stop();
  });

  it('expire in Redis itself', async () => {
    const prefix = randomUUID();
    const store = new RedisSessionStore(redis, { prefix, timeToLive: 60_000 });
    await store.merge('id', new Map([['zoneID', 'UTC']]), limits);
    expect(Number(await redis.send(['PTTL', `${prefix}id`]))).toBeGreaterThan(50_000);
  });

  it('are damaged one by one: what is stored together with a damaged one is stored', async () => {
    const prefix = randomUUID();
    const store = new RedisSessionStore(redis, { prefix, timeToLive: 60_000 });
    await redis.send(['SET', `${prefix}damaged`, 'no hash']);
    await redis.send(['HSET', `${prefix}bent`, 'zoneID', '9:\\bent']);
    const damaged = { name: 'DamagedSessionError' };
    await expect(store.read('damaged')).rejects.toMatchObject(damaged);
    await expect(store.read('bent')).rejects.toMatchObject(damaged);
    await expect(store.touch('damaged')).rejects.toMatchObject(damaged);
    const merge = (id: string) => store.merge(id, new Map([['a', '1']]), limits);
    const outcomes = await Promise.allSettled(['one', 'damaged', 'other'].map(merge));
    const stored = { status: 'fulfilled', value: 'stored' };
    expect(outcomes).toMatchObject([stored, { status: 'rejected', reason: damaged }, stored]);
    await store.destroy('damaged');
    expect(await merge('damaged')).toBe('stored');
  });

  it('keep working after SCRIPT FLUSH', async () => {
    const store = new RedisSessionStore(redis, { prefix: randomUUID(), timeToLive: 60_000 });
    await redis.send(['SCRIPT', 'FLUSH']);
    expect(await store.merge('id', new Map([['a', '1']]), limits)).toBe('stored');
    await redis.send(['SCRIPT', 'FLUSH']);
    await store.touch('id');
    expect((await store.read('id'))?.attributes).toEqual(new Map([['a', '1']]));
  });
});
