import { sendLoad } from '../http/load.ts';
import { type PlannedRequest, requestBytes } from '../http/request-bytes.ts';
import { requestCost } from '../http/request-cost.ts';
import { ServerUnderTest } from '../http/server-under-test.ts';
import type { BenchContext, Case, Contender, Suite } from '../suite.ts';
import { startRedis } from './redis-server.ts';

const module = new URL('notes-server.mjs', import.meta.url);
const visitors = 64;

/** Where sessions are kept, and what that costs. */
export const sessionsStoresSuite: Suite = {
  name: 'sessions-stores',
  about:
    'A POST that writes two attributes into an existing session, and a GET that reads it, by store, against the memory store; 32 at a time. PostgreSQL commits each write to the disk.',
  async open(context) {
    const redis = await startRedis();
    const start = (environment: Readonly<Record<string, string>>) =>
      ServerUnderTest.startService(context, { module, environment });
    const everything = { JIG_ADD_ONS_EXCLUDE: '' };
    const memory = await store(await start({ ...everything, JIG_SESSIONS_STORE: 'memory' }));
    const postgresql = await store(await start(everything));
    const onRedis =
      redis && (await store(await start({ JIG_ADD_ONS_EXCLUDE: '@jig/embedded-database', REDIS_URL: redis.url })));
    return {
      cases: [
        write('PostgreSQL, writes', 0.35, postgresql, memory, context),
        ...(onRedis === undefined ? [] : [write('Redis, writes', 0.8, onRedis, memory, context)]),
        read('PostgreSQL, reads', postgresql, memory, context),
        ...(onRedis === undefined ? [] : [read('Redis, reads', onRedis, memory, context)]),
        cpu('PostgreSQL, writes: CPU of the service alone', postgresql, memory, context),
        ...(onRedis === undefined ? [] : [cpu('Redis, writes: CPU of the service alone', onRedis, memory, context)]),
      ],
      close: async () => {
        await Promise.all([memory, postgresql, onRedis].map((measured) => measured?.server.stop()));
        await redis?.stop();
      },
    };
  },
};

interface Store {
  readonly server: ServerUnderTest;
  readonly writes: readonly PlannedRequest[];
  readonly reads: readonly PlannedRequest[];
}

/** A server whose visitors have their sessions already. */
async function store(server: ServerUnderTest): Promise<Store> {
  const cookies = await Promise.all(
    Array.from({ length: visitors }, async () => {
      const answer = await fetch(new URL('/notes', server.url), { method: 'POST', redirect: 'manual' });
      return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    }),
  );
  const headers = cookies.map((cookie) => ({ cookie, 'x-zone': 'Asia/Kolkata' }));
  return {
    server,
    writes: headers.map((each) => ({ method: 'POST', path: '/notes', headers: each })),
    reads: headers.map((each) => ({ path: '/notes', headers: each })),
  };
}

/** The time of one request among many at once: what throughput is the inverse of. */
function timePerRequest(
  { url }: ServerUnderTest,
  planned: readonly PlannedRequest[],
  status: number,
  { quick }: BenchContext,
): Contender {
  const requests = planned.map(requestBytes);
  const count = quick ? 1000 : 4000;
  return { sample: async () => ((await sendLoad({ url, requests, count, status, connections: 32 })) / count) * 1e6 };
}

function write(name: string, speed: number, ours: Store, memory: Store, context: BenchContext): Case {
  const time = ({ server, writes }: Store) => timePerRequest(server, writes, 302, context);
  return { name, unit: 'µs', target: { speed }, ours: time(ours), reference: time(memory) };
}

function read(name: string, ours: Store, memory: Store, context: BenchContext): Case {
  const time = ({ server, reads }: Store) => timePerRequest(server, reads, 200, context);
  return { name, unit: 'µs', target: { shown: true }, ours: time(ours), reference: time(memory) };
}

function cpu(name: string, ours: Store, memory: Store, context: BenchContext): Case {
  const cost = ({ server, writes }: Store) => requestCost(server, writes, context, { status: 302, connections: 32 });
  return { name, unit: 'µs CPU', target: { shown: true }, ours: cost(ours), reference: cost(memory) };
}
