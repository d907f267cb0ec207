import { RedisCluster } from '../../../packages/redis-sessions/test-fixtures/redis-cluster.ts';
import { RedisServer, redisVersion } from '../../../packages/redis-sessions/test-fixtures/redis-server.ts';
import { microseconds, type RequestCosts, requestCost } from '../cpu-time.ts';
import { type PlannedRequest, requestBytes, sendLoad } from '../http/load.ts';
import { visitorCookies, visitorSettings } from '../http/populated-service.ts';
import { counted, fillWithSessions } from '../http/redis-under-test.ts';
import { ServerUnderTest, startServers, storePatience } from '../http/server-under-test.ts';
import { shareRounds } from '../shared-rounds.ts';
import type { BenchContext, Case, Contender, Curve, OpenSuite, Suite } from '../suite.ts';

const module = new URL('notes-server.mjs', import.meta.url);
const visitors = 500;
const connections = 32;
const sizes = [1000, 10_000, 100_000, 1_000_000];

export const scaleSuite: Suite = {
  name: 'scale',
  about:
    'Several instances with their sessions in Redis: what two instances on one Redis cost against one, what a cluster of six nodes costs an instance against one Redis, and what a request costs an instance and its Redis together by the number of sessions. 500 visitors in turns, 32 at a time. Load, instances and Redis share the cores, so that elapsed time says little of what more cores would bring.',
  async open(context) {
    if (redisVersion() === undefined) return {};
    const redis = await RedisServer.start();
    const closing: (() => Promise<unknown>)[] = [() => redis.stop()];
    const close = async () => {
      await Promise.all(closing.map((stop) => stop()));
    };
    try {
      const starting = RedisCluster.start();
      closing.push(async () => (await starting).stop());
      const started = starting.then((cluster) => startAll(redis, cluster, context, closing));
      const [servers] = await Promise.all([started, fill(redis, context)]);
      return { ...(await openWith(redis, servers, context)), close };
    } catch (failure) {
      await close();
      throw failure;
    }
  },
};

const sizesFor = ({ quick }: BenchContext) => (quick ? sizes.slice(0, 2) : sizes);

/** Databases of one Redis are apart from each other, as if each had a Redis of its own; the visitors add theirs. */
async function fill(redis: RedisServer, context: BenchContext): Promise<void> {
  for (const [database, size] of sizesFor(context).entries())
    await fillWithSessions(redis, 0, size - visitors, database);
}

/** An instance for each database, one more for the first, and one for the cluster. */
async function startAll(
  redis: RedisServer,
  cluster: RedisCluster,
  context: BenchContext,
  closing: (() => Promise<unknown>)[],
): Promise<ServerUnderTest[]> {
  const onRedis = sizesFor(context).map((_, database) => redis.url.replace(/\d+$/, String(database)));
  const urls = [...onRedis, onRedis[0] ?? '', cluster.url];
  const servers = await startServers(urls, (url) => startNotes(url, context));
  closing.push(...servers.map((server) => () => server.stop()));
  return servers;
}

async function openWith(
  redis: RedisServer,
  servers: readonly ServerUnderTest[],
  context: BenchContext,
): Promise<OpenSuite> {
  const held = sizesFor(context);
  const planned = requestsOf(visitorCookies(visitors));
  // The first one is measured in most rows: without this it would be the only warm one.
  const warmUp = { connections, count: (context.quick ? 2 : 4) * visitors };
  for (const { url } of servers) {
    await sendLoad({ ...warmUp, url, requests: planned.writes.map(requestBytes), status: 302 });
    await sendLoad({ ...warmUp, url, requests: planned.reads.map(requestBytes) });
  }
  const [one, ...others] = servers;
  const [onCluster, second] = [others.pop(), others.pop()];
  if (one === undefined || second === undefined || onCluster === undefined) throw new Error('A server is missing.');
  return {
    cases: [
      ...instanceCases([one, second], planned.reads),
      ...(['reads', 'writes'] as const).map(
        (kind): Case => ({
          name: `a cluster of six nodes against one Redis, ${kind}`,
          unit: 'µs CPU',
          target: { shown: true },
          ours: cost(onCluster, planned, kind, context),
          reference: cost(one, planned, kind, context),
        }),
      ),
    ],
    growth: {
      axis: { name: 'sessions in Redis', unit: 'session' },
      curves: (['reads', 'writes'] as const).map(
        (kind): Curve => ({
          name: `${kind}, the instance and its Redis together`,
          unit: 'µs CPU',
          target: { flat: 1.5 },
          points: held.map((size, index) => ({
            size,
            cost: withRedis(redis, cost(servers[index] ?? one, planned, kind, context), countOf(context)),
          })),
        }),
      ),
    },
  };
}

const startNotes = (url: string, context: BenchContext) =>
  ServerUnderTest.startService(context, {
    module,
    environment: {
      ...visitorSettings,
      ...storePatience,
      JIG_ADD_ONS_EXCLUDE: '@jig/embedded-database',
      REDIS_URL: url,
    },
  });

interface Planned {
  readonly reads: readonly PlannedRequest[];
  readonly writes: readonly PlannedRequest[];
}

function requestsOf(cookies: readonly string[]): Planned {
  return {
    reads: cookies.map((cookie) => ({ path: '/notes', headers: { cookie } })),
    // Two zones in turns, because an unchanged attribute is not written again.
    writes: ['Asia/Kolkata', 'Europe/Berlin'].flatMap((zone) =>
      cookies.map((cookie) => ({ method: 'POST', path: '/notes', headers: { cookie, 'x-zone': zone } })),
    ),
  };
}

const countOf = ({ quick }: BenchContext) => (quick ? 500 : 1000);

function cost(server: ServerUnderTest, planned: Planned, kind: keyof Planned, context: BenchContext): Contender {
  const status = kind === 'reads' ? 200 : 302;
  return requestCost(server, planned[kind], context, { status, connections, count: countOf(context) });
}

/** Adds what Redis has used for the same requests. */
function withRedis(redis: RedisServer, contender: Contender, count: number): Contender {
  return {
    async sample() {
      const before = await counted([redis]);
      const own = await contender.sample();
      return own + ((await counted([redis])).cpu - before.cpu) / count;
    },
  };
}

/** The same load, shared by two instances or on one of them: what a request costs all of them, and how long it takes. */
function instanceCases(servers: readonly ServerUnderTest[], reads: readonly PlannedRequest[]): Case[] {
  const requests = reads.map(requestBytes);
  const count = 2000;
  const used = async () => {
    const each = await Promise.all(servers.map(async (server) => microseconds((await server.usage()).cpu)));
    return each.reduce((sum, cpu) => sum + cpu, 0);
  };
  const by = (some: readonly ServerUnderTest[]) =>
    shareRounds(async (): Promise<RequestCosts> => {
      const before = await used();
      const share = { requests, count: count / some.length, connections: connections / some.length };
      const seconds = Math.max(...(await Promise.all(some.map(({ url }) => sendLoad({ url, ...share })))));
      return { cpu: ((await used()) - before) / count, elapsed: (seconds * 1e6) / count };
    });
  const [two, one] = [by(servers), by(servers.slice(0, 1))];
  return [
    {
      name: 'two instances on one Redis against one, reads',
      unit: 'µs CPU',
      target: { cost: 1.5 },
      ours: two(({ cpu }) => cpu),
      reference: one(({ cpu }) => cpu),
    },
    {
      name: 'the same, elapsed time',
      unit: 'µs',
      target: { shown: true },
      ours: two(({ elapsed }) => elapsed),
      reference: one(({ elapsed }) => elapsed),
    },
  ];
}
