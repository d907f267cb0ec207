import { RedisServer, redisVersion } from '../../../packages/redis-sessions/test-fixtures/redis-server.ts';
import { requestCost } from '../cpu-time.ts';
import { type PlannedRequest, requestBytes, sendLoad } from '../http/load.ts';
import { ServerUnderTest } from '../http/server-under-test.ts';
import type { BenchContext, Case, Contender, OpenSuite, Suite } from '../suite.ts';

const module = new URL('notes-server.mjs', import.meta.url);
const visitors = 64;
const connections = 32;
const statusOf = { reads: 200, writes: 302 };

export const sessionsStoresSuite: Suite = {
  name: 'sessions-stores',
  about:
    'A POST that writes two attributes into an existing session, and a GET that reads it, by store, against the memory store; 32 at a time. PostgreSQL commits each write to the disk.',
  async open(context) {
    const redis = redisVersion() === undefined ? undefined : await RedisServer.start();
    try {
      return await openWith(redis, context);
    } catch (failure) {
      await redis?.stop();
      throw failure;
    }
  },
};

async function openWith(redis: RedisServer | undefined, context: BenchContext): Promise<OpenSuite> {
  const start = (environment: Readonly<Record<string, string>>) =>
    ServerUnderTest.startService(context, { module, environment });
  const allAddOns = { JIG_ADD_ONS_EXCLUDE: '' };
  const memory = await prepare(await start({ ...allAddOns, JIG_SESSIONS_STORE: 'memory' }), context);
  const postgresql = await prepare(await start(allAddOns), context);
  const onRedis =
    redis &&
    (await prepare(await start({ JIG_ADD_ONS_EXCLUDE: '@jig/embedded-database', REDIS_URL: redis.url }), context));
  return {
    cases: [
      write('PostgreSQL, writes', 0.35, postgresql, memory, context),
      ...(onRedis === undefined ? [] : [write('Redis, writes', 0.8, onRedis, memory, context)]),
      read('PostgreSQL, reads', postgresql, memory, context),
      ...(onRedis === undefined ? [] : [read('Redis, reads', onRedis, memory, context)]),
      duration('PostgreSQL, writes, elapsed time', postgresql, memory, context),
      ...(onRedis === undefined ? [] : [duration('Redis, writes, elapsed time', onRedis, memory, context)]),
    ],
    close: async () => {
      for (const measured of [memory, postgresql, onRedis]) await measured?.server.stop();
      await redis?.stop();
    },
  };
}

/** A running service with one kind of store, and the requests of visitors who have a session. */
interface Store {
  readonly server: ServerUnderTest;
  readonly writes: readonly PlannedRequest[];
  readonly reads: readonly PlannedRequest[];
}

/** Begins a session for each visitor and warms the server up. */
async function prepare(server: ServerUnderTest, { quick }: BenchContext): Promise<Store> {
  const cookies = await Promise.all(
    Array.from({ length: visitors }, async () => {
      const response = await fetch(new URL('/notes', server.url), { method: 'POST', redirect: 'manual' });
      return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    }),
  );
  // Two zones in turns, because an unchanged attribute is not written again.
  const writes = ['Asia/Kolkata', 'Europe/Berlin'].flatMap((zone) =>
    cookies.map((cookie) => ({ method: 'POST', path: '/notes', headers: { cookie, 'x-zone': zone } })),
  );
  const reads = cookies.map((cookie) => ({ path: '/notes', headers: { cookie } }));
  // The memory store is measured in every case: without this it would be the only warm one.
  const warmUp = { url: server.url, count: quick ? 2000 : 15_000, connections };
  await sendLoad({ ...warmUp, requests: writes.map(requestBytes), status: statusOf.writes });
  await sendLoad({ ...warmUp, requests: reads.map(requestBytes), status: statusOf.reads });
  return { server, writes, reads };
}

function write(name: string, speed: number, ours: Store, memory: Store, context: BenchContext): Case {
  return {
    name,
    unit: 'µs CPU',
    target: { speed },
    ours: cost(ours, 'writes', context),
    reference: cost(memory, 'writes', context),
  };
}

function read(name: string, ours: Store, memory: Store, context: BenchContext): Case {
  const target = { shown: true } as const;
  return {
    name,
    unit: 'µs CPU',
    target,
    ours: cost(ours, 'reads', context),
    reference: cost(memory, 'reads', context),
  };
}

/** The CPU time of the service, which limits its throughput and hardly changes on a busy machine. */
function cost({ server, ...planned }: Store, kind: 'reads' | 'writes', context: BenchContext): Contender {
  const count = context.quick ? 1000 : 4000;
  return requestCost(server, planned[kind], context, { status: statusOf[kind], connections, count });
}

/** The elapsed time per write, which includes the store's own server and its disk. */
function duration(name: string, ours: Store, memory: Store, { quick }: BenchContext): Case {
  const count = quick ? 1000 : 4000;
  const time = ({ server: { url }, writes }: Store): Contender => {
    const requests = writes.map(requestBytes);
    const load = { url, requests, count, status: statusOf.writes, connections };
    return { sample: async () => ((await sendLoad(load)) / count) * 1e6 };
  };
  return { name, unit: 'µs', target: { shown: true }, ours: time(ours), reference: time(memory) };
}
