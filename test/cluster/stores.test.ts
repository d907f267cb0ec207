import { randomUUID } from 'node:crypto';
import { type SessionStoreFactory, sessionStoreCases } from '@jig/sessions/store-suite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisConnection, type RedisConnectionOptions } from '../../packages/redis-sessions/src/redis-connection.ts';
import { RedisSessionStore } from '../../packages/redis-sessions/src/redis-session-store.ts';
import { RedisCluster } from '../../packages/redis-sessions/test-fixtures/redis-cluster.ts';
import { RedisSentinels } from '../../packages/redis-sessions/test-fixtures/redis-sentinels.ts';
import { RedisServer } from '../../packages/redis-sessions/test-fixtures/redis-server.ts';
import { documentedAclRule } from './acl-rule.ts';

const options = { limits: { maximumAttributes: 10, maximumBytes: 1000 }, timeToLive: 60_000 };
const log = { info: () => {}, warn: () => {} };
const user = 'jig';
const password = 'open-sesame';

/** The servers behind one address. */
interface Servers {
  readonly url: string;
  readonly servers: readonly RedisServer[];
  stop(): Promise<void>;
}

async function startSingle(): Promise<Servers> {
  const server = await RedisServer.start();
  return { url: server.url, servers: [server], stop: () => server.stop() };
}

/** No failover, however long the machine has no time for a server. */
async function startSentinels(): Promise<Servers> {
  const group = await RedisSentinels.start();
  const patience = ['SENTINEL', 'SET', 'main', 'down-after-milliseconds', '600000'];
  await Promise.all(group.sentinels.map((sentinel) => sentinel.commands(patience)));
  return group;
}

// They mostly wait, so they do so side by side.
describe.concurrent.each([
  ['a single Redis', startSingle],
  ['the primary that sentinels name', startSentinels],
  ['a cluster', () => RedisCluster.start()],
])('sessions on %s', (name, startServers) => {
  // All start at the same time.
  const starting = startServers();
  let servers: Servers;
  const connections: RedisConnection[] = [];

  async function connect(options: Partial<RedisConnectionOptions> = {}): Promise<RedisConnection> {
    const url = servers.url.replace('://', `://${user}:${password}@`);
    // What is late on a busy machine is not lost.
    const patience = { connectTimeout: 5000, commandTimeout: 30_000 };
    const connection = new RedisConnection({ url, ...patience, log, ...options });
    connections.push(connection);
    await connection.start();
    return connection;
  }

  /** On every server that takes writes. */
  async function onPrimaries(...command: string[]): Promise<readonly unknown[]> {
    const replies = servers.servers.map(async (server) =>
      (await server.info('role', 'INFO', 'replication')) === 'master' ? server.commands(command) : [],
    );
    return (await Promise.all(replies)).flat();
  }

  beforeAll(async () => {
    servers = await starting;
    // The user of the documents: it may touch keys with the prefix only, and run only what is named.
    const rule = ['ACL', 'SETUSER', user, `>${password}`, ...documentedAclRule()];
    await Promise.all(servers.servers.map((server) => server.commands(rule)));
  });

  afterAll(async () => {
    for (const connection of connections) connection.stop();
    await servers.stop();
  });

  describe('as every store, by an ACL user who may touch no other key', () => {
    let redis: RedisConnection;

    beforeAll(async () => {
      redis = await connect();
    });

    const create: SessionStoreFactory = async () => ({
      store: new RedisSessionStore(redis, { prefix: `jig:session:${randomUUID()}*[` }),
    });

    it.each(sessionStoreCases)('$name', (storeCase) => storeCase.run(create));
  });

  it('are one key each, in the slots of their ids, and parallel merges are all stored', async () => {
    const redis = await connect();
    const prefix = `jig:session:${randomUUID()}:`;
    const store = new RedisSessionStore(redis, { prefix });
    const ids = Array.from({ length: 60 }, (_, index) => `id ${index}`);
    const merges = ids.flatMap((id) => ['a', 'b'].map((name) => store.merge(id, new Map([[name, id]]), options)));
    expect(new Set(await Promise.all(merges))).toEqual(new Set(['stored']));
    const found = await Promise.all(ids.map(async (id) => (await store.read(id))?.attributes));
    expect(found).toEqual(
      ids.map(
        (id) =>
          new Map([
            ['a', id],
            ['b', id],
          ]),
      ),
    );
    expect(await store.count()).toBe(60);
    const keys = (await onPrimaries('KEYS', `${prefix}*`)).flat();
    expect(new Set(keys)).toEqual(new Set(ids.map((id) => prefix + id)));
  });

  it('do not touch other keys, also when sessions are counted', async () => {
    const redis = await connect();
    const others = Array.from({ length: 30 }, (_, index) => `other:${index}`);
    const before = await connect({ url: servers.url });
    for (const key of others) await before.send(['SET', key, key], key);
    const store = new RedisSessionStore(redis, { prefix: `jig:session:${randomUUID()}:` });
    await store.merge('id', new Map([['a', 'b']]), options);
    expect(await store.count()).toBe(1);
    await store.destroy('id');
    const values = await Promise.all(others.map((key) => before.send(['GET', key], key)));
    expect(values).toEqual(others);
  });

  it('reject writes with JIG_REDIS_NOT_REPLICATED when too few replicas have them', async () => {
    const redis = await connect({ waitForReplicas: 5, commandTimeout: 5000 });
    const store = new RedisSessionStore(redis, { prefix: `jig:session:${randomUUID()}:` });
    const merge = (id: string) => store.merge(id, new Map([['a', 'b']]), options);
    // On one node, and some of them only when others wait already.
    const refused: Promise<unknown>[] = [merge('{one}1'), merge('{one}2'), store.destroy('{one}3')];
    // Reads have a connection of their own, on which nothing waits.
    await store.read('other');
    refused.push(merge('{one}4'), merge('{one}5'), store.destroy('{one}6'));
    const codes = await Promise.all(
      refused.map((write) => write.catch(({ code, isTemporary }) => [code, isTemporary])),
    );
    expect(codes).toEqual(refused.map(() => ['JIG_REDIS_NOT_REPLICATED', true]));
  });

  it('report a wrong password at the start, and do not repeat it', async () => {
    const url = servers.url.replace('://', `://${user}:wrong-password@`);
    const connection = new RedisConnection({ url, connectTimeout: 5000, commandTimeout: 5000, log });
    const error: unknown = await connection.start().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'JIG_REDIS_UNREACHABLE' });
    expect(String(error)).toMatch(/WRONGPASS/);
    expect(String(error)).not.toContain('wrong-password');
  });

  it('are healthy, and name the primaries', async () => {
    const redis = await connect();
    await expect.poll(() => redis.health()).toMatchObject({ ok: true, state: 'ready' });
    const { details } = await redis.health();
    const { mode, primaries, address } = details as { mode: string; primaries: string[]; address: string };
    expect(primaries).toHaveLength(mode === 'cluster' ? 3 : 1);
    expect(address).not.toContain(password);
  });

  // A single one has no replica.
  if (startServers === startSingle) return;

  it('work while each write waits for a replica', async () => {
    const redis = await connect({ waitForReplicas: 1 });
    const prefix = `jig:session:${randomUUID()}:`;
    const store = new RedisSessionStore(redis, { prefix });
    const ids = Array.from({ length: 20 }, (_, index) => `id ${index}`);
    const outcomes = await Promise.all(ids.map((id) => store.merge(id, new Map([['a', id]]), options)));
    expect(new Set(outcomes)).toEqual(new Set(['stored']));
    // A write that was answered is on a replica already.
    const copies = servers.servers.map(async (server) =>
      (await server.info('role', 'INFO', 'replication')) === 'slave' ? server.commands(['KEYS', `${prefix}*`]) : [],
    );
    expect(new Set((await Promise.all(copies)).flat(2))).toEqual(new Set(ids.map((id) => prefix + id)));
  });

  if (name !== 'a cluster') return;

  it('work although a node has lost its view of the cluster', async ({ onTestFinished }) => {
    const lost = await RedisServer.start('--cluster-enabled', 'yes', '--cluster-config-file', `${randomUUID()}.conf`);
    onTestFinished(() => lost.stop());
    await lost.commands(['ACL', 'SETUSER', user, `>${password}`, ...documentedAclRule()]);
    const url = `redis://${user}:${password}@127.0.0.1:${lost.port},127.0.0.1:${servers.servers[0]?.port}`;
    // Which of them is asked first is chosen at random, again in each attempt of a start.
    for (let count = 0; count < 8; count++) {
      const began = performance.now();
      const redis = await connect({ url }).catch((error: unknown) => {
        // On a busy machine, the ten seconds of a start are enough for few attempts.
        if (performance.now() - began < 10_000) throw error;
      });
      if (redis !== undefined) expect(redis.primaries).toHaveLength(3);
    }
  });

  it('are unavailable when no node serves a slot', async ({ onTestFinished }) => {
    const lost = await RedisServer.start('--cluster-enabled', 'yes', '--cluster-config-file', `${randomUUID()}.conf`);
    onTestFinished(() => lost.stop());
    const host = `127.0.0.1:${lost.port}`;
    const connection = new RedisConnection({
      url: `redis://${host},${host}`,
      connectTimeout: 500,
      commandTimeout: 500,
      log,
    });
    // As by a signal to stop, while it tries again.
    await expect(connection.start(AbortSignal.timeout(300))).rejects.toMatchObject({ name: 'AbortError' });
    await expect(connection.start()).rejects.toMatchObject({ code: 'JIG_REDIS_UNREACHABLE' });
  });
});
