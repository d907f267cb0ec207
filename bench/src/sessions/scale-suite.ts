import { RedisCluster } from '../../../packages/redis-sessions/test-fixtures/redis-cluster.ts';
import { RedisServer, redisVersion } from '../../../packages/redis-sessions/test-fixtures/redis-server.ts';
import { microseconds, requestCost } from '../cpu-time.ts';
import { type PlannedRequest, requestBytes, sendLoad } from '../http/load.ts';
import { visitorCookies, visitorSettings } from '../http/populated-service.ts';
import { counted, fillWithSessions } from '../http/redis-under-test.ts';
import { ServerUnderTest, startServers } from '../http/server-under-test.ts';
import type { BenchContext, Case, Contender, Curve, OpenSuite, Suite } from '../suite.ts';

const module = new URL('notes-server.mjs', import.meta.url);
const visitors = 500;
const connections = 32;
/** Rows that are only shown need no more. */
const shownRounds = 4;
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
      const [cluster] = await Promise.all([starting, fill(redis, context)]);
      return { ...(await openWith(redis, cluster, context, closing)), close };
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

async function openWith(
  redis: RedisServer,
  cluster: RedisCluster,
  context: BenchContext,
  closing: (() => Promise<unknown>)[],
): Promise<OpenSuite> {
  const held = sizesFor(context);
  const onRedis = held.map((_, database) => redis.url.replace(/\d+$/, String(database)));
  const urls = [...onRedis, onRedis[0] ?? '', cluster.url];
  const servers = await startServers(urls, (url) => startNotes(url, context));
  closing.push(...servers.map((server) => () => server.stop()));
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
      instances('two instances on one Redis against one, reads', { cost: 1.5 }, 'cpu', [one, second], planned.reads),
      instances('the same, elapsed time', { shown: true }, 'elapsed', [one, second], planned.reads),
      ...(['reads', 'writes'] as const).map(
        (kind): Case => ({
          name: `a cluster of six nodes against one Redis, ${kind}`,
          unit: 'µs CPU',
          target: { shown: true },
          rounds: shownRounds,
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

/** On a busy machine, requests are late rather than refused. */
const patience = { JIG_SESSIONS_STORE_DEADLINE: '20s', JIG_REDIS_COMMAND_TIMEOUT: '20s' };

const startNotes = (url: string, context: BenchContext) =>
  ServerUnderTest.startService(context, {
    module,
    environment: {
      ...visitorSettings,
      ...patience,
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

const countOf = ({ quick }: BenchContext) => (quick ? 500 : 1500);

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

/** The same load, shared by two instances or on one of them: what a request costs all of them, or how long it takes. */
function instances(
  name: string,
  target: Case['target'],
  measured: 'cpu' | 'elapsed',
  servers: readonly ServerUnderTest[],
  reads: readonly PlannedRequest[],
): Case {
  const requests = reads.map(requestBytes);
  const count = 3000;
  const used = async () => {
    const each = await Promise.all(servers.map(async (server) => microseconds((await server.usage()).cpu)));
    return each.reduce((sum, cpu) => sum + cpu, 0);
  };
  const by = (some: readonly ServerUnderTest[]): Contender => ({
    async sample() {
      const before = await used();
      const share = { requests, count: count / some.length, connections: connections / some.length };
      const seconds = Math.max(...(await Promise.all(some.map(({ url }) => sendLoad({ url, ...share })))));
      return (measured === 'cpu' ? (await used()) - before : seconds * 1e6) / count;
    },
  });
  const unit = measured === 'cpu' ? 'µs CPU' : 'µs';
  const rounds = 'shown' in target ? { rounds: shownRounds } : {};
  return { name, unit, target, ...rounds, ours: by(servers), reference: by(servers.slice(0, 1)) };
}
