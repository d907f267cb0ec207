import { RedisServer, redisVersion } from '../../../packages/redis-sessions/test-fixtures/redis-server.ts';
import { requestCost, requestCosts } from '../cpu-time.ts';
import { type PlannedRequest, requestBytes, sendLoad } from '../http/load.ts';
import { ServerUnderTest, storePatience } from '../http/server-under-test.ts';
import { shareRounds } from '../shared-rounds.ts';
import type { BenchContext, Case, OpenSuite, Suite } from '../suite.ts';

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
    ServerUnderTest.startService(context, { module, environment: { ...storePatience, ...environment } });
  const allAddOns = { JIG_ADD_ONS_EXCLUDE: '' };
  const [memory, postgresql, onRedis] = await Promise.all([
    start({ ...allAddOns, JIG_SESSIONS_STORE: 'memory' }).then((server) => prepare(server, context)),
    start(allAddOns).then((server) => prepare(server, context)),
    redis &&
      start({ JIG_ADD_ONS_EXCLUDE: '@jig/embedded-database', REDIS_URL: redis.url }).then((server) =>
        prepare(server, context),
      ),
  ]);
  return {
    cases: [
      ...writes('PostgreSQL', 0.35, postgresql, memory, context),
      ...(onRedis === undefined ? [] : writes('Redis', 0.8, onRedis, memory, context)),
      reads('PostgreSQL', postgresql, memory, context),
      ...(onRedis === undefined ? [] : [reads('Redis', onRedis, memory, context)]),
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
  const warmUp = { url: server.url, count: quick ? 2000 : 4000, connections };
  await sendLoad({ ...warmUp, requests: writes.map(requestBytes), status: statusOf.writes });
  await sendLoad({ ...warmUp, requests: reads.map(requestBytes), status: statusOf.reads });
  return { server, writes, reads };
}

/** The CPU time of the service, which limits its throughput and hardly changes on a busy machine; and the elapsed time of the same requests, which includes the store's own server and its disk. */
function writes(store: string, speed: number, ours: Store, memory: Store, context: BenchContext): Case[] {
  const of = ({ server, writes: planned }: Store) =>
    shareRounds(requestCosts(server, planned, context, { status: statusOf.writes, connections }));
  const [own, inMemory] = [of(ours), of(memory)];
  return [
    {
      name: `${store}, writes`,
      unit: 'µs CPU',
      target: { speed },
      ours: own(({ cpu }) => cpu),
      reference: inMemory(({ cpu }) => cpu),
    },
    {
      name: `${store}, writes, elapsed time`,
      unit: 'µs',
      target: { shown: true },
      ours: own(({ elapsed }) => elapsed),
      reference: inMemory(({ elapsed }) => elapsed),
    },
  ];
}

function reads(store: string, ours: Store, memory: Store, context: BenchContext): Case {
  const cost = ({ server, reads: planned }: Store) =>
    requestCost(server, planned, context, { status: statusOf.reads, connections });
  return {
    name: `${store}, reads`,
    unit: 'µs CPU',
    target: { shown: true },
    ours: cost(ours),
    reference: cost(memory),
  };
}
