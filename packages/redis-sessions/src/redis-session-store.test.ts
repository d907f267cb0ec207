import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { quickReplication } from '../test-fixtures/redis-cluster.ts';
import { RedisServer } from '../test-fixtures/redis-server.ts';
import { RedisConnection } from './redis-connection.ts';
import { RedisSessionStore } from './redis-session-store.ts';

const options = { limits: { maximumAttributes: 10, maximumBytes: 1000 }, timeToLive: 60_000 };
const log = { info: () => {}, warn: () => {} };

describe('sessions in Redis', () => {
  let server: RedisServer;
  let redis: RedisConnection;

  beforeAll(async () => {
    server = await RedisServer.start();
    redis = new RedisConnection({ url: new URL(server.url), connectTimeout: 60_000, commandTimeout: 60_000, log });
    await redis.start();
  });

  afterAll(async () => {
    redis.stop();
    await server.stop();
  });

  it('expire in Redis itself', async () => {
    const prefix = randomUUID();
    const store = new RedisSessionStore(redis, { prefix });
    await store.merge('id', new Map([['zoneID', 'UTC']]), options);
    expect(Number(await redis.send(['PTTL', `${prefix}id`]))).toBeGreaterThan(50_000);
  });

  it('do not fail because of a damaged one that is stored in the same batch', async () => {
    const prefix = randomUUID();
    const store = new RedisSessionStore(redis, { prefix });
    await redis.send(['SET', `${prefix}damaged`, 'no hash']);
    await redis.send(['HSET', `${prefix}bent`, 'zoneID', '9:\\bent']);
    const damaged = { name: 'DamagedSessionError' };
    await expect(store.read('damaged')).rejects.toMatchObject(damaged);
    await expect(store.read('bent')).rejects.toMatchObject(damaged);
    await expect(store.touch('damaged', 60_000)).rejects.toMatchObject(damaged);
    const merge = (id: string) => store.merge(id, new Map([['a', '1']]), options);
    const outcomes = await Promise.allSettled(['one', 'damaged', 'other'].map(merge));
    const stored = { status: 'fulfilled', value: 'stored' };
    expect(outcomes).toMatchObject([stored, { status: 'rejected', reason: damaged }, stored]);
    await store.destroy('damaged');
    expect(await merge('damaged')).toBe('stored');
  });

  describe.each([0, 1])('while Redis is frozen, with writes that wait for %i replicas', (waitForReplicas) => {
    it('are not stored later, if they were rejected meanwhile', async () => {
      const primary = await RedisServer.start(...quickReplication);
      onTestFinished(() => primary.stop());
      const replica = await RedisServer.start(...quickReplication, '--replicaof', '127.0.0.1', String(primary.port));
      onTestFinished(() => replica.stop());
      const frozen = { url: primary.url, connectTimeout: 5000, commandTimeout: 400, waitForReplicas, log };
      const connect = async () => {
        const connection = new RedisConnection(frozen);
        onTestFinished(() => connection.stop());
        await connection.start();
        return new RedisSessionStore(connection, { prefix: 'frozen:' });
      };
      const [store, other] = [await connect(), await connect()];
      const ids = Array.from({ length: 120 }, (_, index) => `id ${index}`);
      const write = (to: RedisSessionStore, id: string, value: string) =>
        to.merge(id, new Map([['a', value]]), { ...options, deadline: performance.now() + 400 }).catch(() => 'refused');
      const writeAll = (to: RedisSessionStore, value: string) => Promise.all(ids.map((id) => write(to, id, value)));
      await expect.poll(async () => new Set(await writeAll(store, 'first'))).toEqual(new Set(['stored']));
      primary.signal('SIGSTOP');
      const destroyed = store.destroy('id 0', performance.now() + 400).catch(() => 'refused');
      expect(new Set(await writeAll(store, 'refused'))).toEqual(new Set(['refused']));
      expect(await destroyed).toBe('refused');
      primary.signal('SIGCONT');
      await expect.poll(() => write(other, 'id 1', 'newer')).toBe('stored');
      await expect.poll(() => write(store, 'id 2', 'newer')).toBe('stored');
      const values = await Promise.all(ids.map(async (id) => (await other.read(id))?.attributes.get('a')));
      expect(values.slice(0, 3)).toEqual(['first', 'newer', 'newer']);
      expect(new Set(values.slice(3))).toEqual(new Set(['first']));
    });
  });

  it('have their time left by the clock of Redis', async () => {
    const prefix = randomUUID();
    await new RedisSessionStore(redis, { prefix }).merge('id', new Map([['a', '1']]), options);
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 10_800_000);
    // One that has stored nothing yet knows the time as well.
    const timeLeft = (await new RedisSessionStore(redis, { prefix }).read('id'))?.timeLeft;
    clock.mockRestore();
    expect(timeLeft).toBeGreaterThan(30_000);
    expect(timeLeft).toBeLessThan(61_000);
  });
});
