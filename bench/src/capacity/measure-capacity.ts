import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RedisCluster } from '../../../packages/redis-sessions/test-fixtures/redis-cluster.ts';
import { RedisServer } from '../../../packages/redis-sessions/test-fixtures/redis-server.ts';
import { microseconds } from '../cpu-time.ts';
import { type PlannedRequest, requestBytes, sendLoad } from '../http/load.ts';
import { counted, fillWithSessions } from '../http/redis-under-test.ts';
import { ServerUnderTest } from '../http/server-under-test.ts';
import { capacityPage, type Measurements, type StoreCost } from './capacity-page.ts';

const usage = `node --import tsx bench/src/capacity/measure-capacity.ts [--sessions 1000000] [--requests 3000]
Measures what a request and a session cost, and writes docs/capacity.md.`;

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '3000' },
    help: { type: 'boolean', default: false },
  },
});
const mostSessions = Number(values.sessions);
const count = Number(values.requests);
const connections = 32;
const visitors = 64;
const rounds = 3;
const notes = new URL('../sessions/notes-server.mjs', import.meta.url);
const page = new URL('../../../docs/capacity.md', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'jig-capacity-'));
const context = { quick: false, folder };

const median = (numbers: readonly number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

async function visitorCookies(server: ServerUnderTest, path: string, body: string): Promise<readonly string[]> {
  const visit = async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch(new URL(path, server.url), { method: 'POST', redirect: 'manual', headers, body });
    return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  };
  return Promise.all(Array.from({ length: visitors }, visit));
}

/** The cost of one request to the instance and to its Redis servers. */
async function cost(
  server: ServerUnderTest,
  planned: readonly PlannedRequest[],
  status: number,
  redis: readonly RedisServer[],
): Promise<StoreCost> {
  const requests = planned.map(requestBytes);
  await sendLoad({ url: server.url, requests, count, connections, status });
  const samples: StoreCost[] = [];
  for (let round = 0; round < rounds; round++) {
    const [before, redisBefore] = [await server.usage(), await counted(redis)];
    await sendLoad({ url: server.url, requests, count, connections, status });
    const [after, redisAfter] = [await server.usage(), await counted(redis)];
    if (redis.length > 0 && redisAfter.commands === redisBefore.commands) throw new Error('Redis was not asked.');
    samples.push({
      cpu: (microseconds(after.cpu) - microseconds(before.cpu)) / count,
      redisCpu: (redisAfter.cpu - redisBefore.cpu) / count,
      redisBytes: (redisAfter.bytes - redisBefore.bytes) / count,
      redisCommands: (redisAfter.commands - redisBefore.commands) / count,
    });
  }
  const middle = (pick: (sample: StoreCost) => number) => median(samples.map(pick));
  return {
    cpu: middle(({ cpu }) => cpu),
    redisCpu: middle(({ redisCpu }) => redisCpu),
    redisBytes: middle(({ redisBytes }) => redisBytes),
    redisCommands: middle(({ redisCommands }) => redisCommands),
  };
}

/** The bench leaves out all add-ons unless it says otherwise. */
const onRedis = { JIG_ADD_ONS_EXCLUDE: '@jig/embedded-database' };

const startNotes = (environment: Readonly<Record<string, string>>) =>
  ServerUnderTest.startService(context, { module: notes, environment: { ...onRedis, ...environment } });

async function readsAndWrites(server: ServerUnderTest, redis: readonly RedisServer[]) {
  const cookies = await visitorCookies(server, '/notes', '');
  const writes = ['Asia/Kolkata', 'Europe/Berlin'].flatMap((zone) =>
    cookies.map((cookie) => ({ method: 'POST', path: '/notes', headers: { cookie, 'x-zone': zone } })),
  );
  const reads = cookies.map((cookie) => ({ path: '/notes', headers: { cookie } }));
  return { read: await cost(server, reads, 200, redis), write: await cost(server, writes, 302, redis) };
}

async function byStore(store: string, environment: Readonly<Record<string, string>>, redis: readonly RedisServer[]) {
  const server = await startNotes(environment);
  const measured = { store, ...(await readsAndWrites(server, redis)) };
  await server.stop();
  return measured;
}

async function growth(): Promise<Measurements['growth']> {
  const redis = await RedisServer.start();
  const server = await startNotes({ REDIS_URL: redis.url });
  const memory = async () => Number(await redis.info('used_memory', 'INFO', 'memory'));
  const empty = await memory();
  const rows: { sessions: number; bytes: number; read: StoreCost; write: StoreCost }[] = [];
  let filled = 0;
  for (let sessions = 1000; sessions <= mostSessions; sessions *= 10) {
    await fillWithSessions(redis, filled, sessions);
    filled = sessions;
    const bytes = ((await memory()) - empty) / sessions;
    rows.push({ sessions, bytes, ...(await readsAndWrites(server, [redis])) });
  }
  await server.stop();
  await redis.stop();
  return rows;
}

/** One and two instances on the same Redis, under the same load. */
async function instances(number: number): Promise<Measurements['instances'][number]> {
  const redis = await RedisServer.start();
  const servers = await Promise.all(Array.from({ length: number }, () => startNotes({ REDIS_URL: redis.url })));
  const loads = await Promise.all(
    servers.map(async (server) => {
      const cookies = await visitorCookies(server, '/notes', '');
      const requests = cookies.map((cookie) => requestBytes({ path: '/notes', headers: { cookie } }));
      await sendLoad({ url: server.url, requests, count, connections });
      return { url: server.url, requests, count, connections };
    }),
  );
  const cpu = async () => {
    const used = await Promise.all(servers.map(async (server) => microseconds((await server.usage()).cpu)));
    return used.reduce((sum, each) => sum + each, 0);
  };
  const before = await cpu();
  const seconds = Math.max(...(await Promise.all(loads.map((load) => sendLoad(load)))));
  const after = await cpu();
  await Promise.all(servers.map((server) => server.stop()));
  await redis.stop();
  const requests = number * count;
  return { number, cpu: (after - before) / requests, requestsPerSecond: requests / seconds };
}

/** A page of the clock with a session in a cluster, as a browser asks for it. */
async function clock(cluster: RedisCluster): Promise<Measurements['clock']> {
  const server = await ServerUnderTest.startService(context, { environment: { ...onRedis, REDIS_URL: cluster.url } });
  const body = 'languageTag=de-CH&zoneID=Asia%2FKolkata';
  const cookies = await visitorCookies(server, '/clock/time', body);
  const reads = cookies.map((cookie) => ({
    path: '/clock/time',
    headers: { cookie, 'accept-encoding': 'gzip' },
  }));
  const forms = cookies.map((cookie) => ({
    method: 'POST',
    path: '/clock/time',
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    body,
  }));
  const response = await fetch(new URL('/clock/time', server.url), {
    headers: { cookie: cookies[0] ?? '', 'accept-encoding': 'gzip' },
  });
  const pageBytes = Number(response.headers.get('content-length') ?? 0);
  await response.arrayBuffer();
  const measured = {
    page: await cost(server, reads, 200, cluster.servers),
    form: await cost(server, forms, 302, cluster.servers),
    pageBytes,
    memory: (await server.usage()).memory.rss,
  };
  await server.stop();
  return measured;
}

async function measure(): Promise<Measurements> {
  const single = await RedisServer.start();
  const cluster = await RedisCluster.start();
  try {
    const wait = { REDIS_URL: cluster.url, JIG_REDIS_WAIT_FOR_REPLICAS: '1' };
    return {
      stores: [
        await byStore('memory', { JIG_SESSIONS_STORE: 'memory' }, []),
        await byStore('Redis', { REDIS_URL: single.url }, [single]),
        await byStore('Redis Cluster', { REDIS_URL: cluster.url }, cluster.servers),
        await byStore('Redis Cluster, waiting for a replica', wait, cluster.servers),
      ],
      clock: await clock(cluster),
      growth: await growth(),
      instances: [await instances(1), await instances(2)],
    };
  } finally {
    await single.stop();
    await cluster.stop();
  }
}

if (values.help) console.log(usage);
else {
  try {
    const measurements = await measure();
    console.log(JSON.stringify(measurements, undefined, 1));
    writeFileSync(page, capacityPage(measurements));
  } finally {
    await ServerUnderTest.stopAll();
    rmSync(folder, { recursive: true, force: true });
  }
}
