import { RedisServer, redisVersion } from '../../../packages/redis-sessions/test-fixtures/redis-server.ts';
import { requestBytes, sendLoad } from '../http/load.ts';
import { beginSession, applicationServer as module, ServerUnderTest } from '../http/server-under-test.ts';
import { requestCost } from '../samples.ts';
import type { BenchContext, Case, Contender, Suite, Target } from '../suite.ts';

const visitors = 64;
const connections = 32;
const count = 1000;

/** On a busy machine, requests that need a store are late rather than refused. */
const patience = { JIG_SESSIONS_STORE_DEADLINE: '20s', JIG_REDIS_COMMAND_TIMEOUT: '20s' };
const secret = { JIG_SESSIONS_SECRET: 'the same for both instances, so that they share their visitors' };

export const storesSuite: Suite = {
  name: 'sessions-stores',
  about:
    'A POST that writes two attributes into an existing session, and a GET that reads it, by store, against the memory store; 32 at a time. PostgreSQL commits each write to the disk. With Redis also: two instances against one, and the instance and its Redis together with a million sessions against a thousand.',
  async open(context) {
    const everything = { JIG_ADD_ONS_EXCLUDE: '' };
    const [memory, postgresql] = await Promise.all([
      startStore({ ...everything, JIG_SESSIONS_STORE: 'memory' }, context),
      startStore(everything, context),
    ]);
    const writes = cost(memory, 'writes', context);
    const cases = [row('PostgreSQL, writes', { speed: 0.35 }, cost(postgresql, 'writes', context), writes)];
    return redisVersion() === undefined ? cases : [...cases, ...(await redisCases(memory, context))];
  },
};

function row(name: string, target: Target, ours: Contender, reference: Contender): Case {
  return { name, target, ours, reference };
}

async function redisCases(memory: Store, context: BenchContext): Promise<Case[]> {
  const redis = await RedisServer.start();
  context.onClose(() => redis.stop());
  const on = (database: number) => {
    const REDIS_URL = redis.url.replace(/\d+$/, String(database));
    return startStore({ ...secret, JIG_ADD_ONS_EXCLUDE: '@jig/embedded-database', REDIS_URL }, context);
  };
  // Databases of one Redis are apart from each other, as if each had a Redis of its own.
  await fillWithSessions(redis, 0, 1000);
  await fillWithSessions(redis, 1, 1_000_000);
  const [few, second, many] = await Promise.all([on(0), on(0), on(1)]);
  const withRedis = (store: Store, kind: Kind, own = cost(store, kind, context)) => {
    return async () => {
      const before = await processorTime(redis);
      return (await own()) + ((await processorTime(redis)) - before) / count;
    };
  };
  const both = requestCost([few.server, second.server], few.reads, context, { connections, count });
  const million = 'a million sessions in Redis against a thousand, with the CPU time of Redis';
  return [
    row('Redis, writes', { speed: 0.8 }, cost(few, 'writes', context), cost(memory, 'writes', context)),
    row('two instances on one Redis against one, reads', { cost: 1.5 }, both, cost(few, 'reads', context)),
    row(`${million}, reads`, { cost: 1.5 }, withRedis(many, 'reads'), withRedis(few, 'reads')),
    row(`${million}, writes`, { cost: 1.5 }, withRedis(many, 'writes'), withRedis(few, 'writes')),
  ];
}

type Kind = 'reads' | 'writes';

/** A running service with one kind of store, and the requests of visitors who have a session. */
type Store = Awaited<ReturnType<typeof startStore>>;

/** Begins a session for each visitor and warms the server up. */
async function startStore(environment: Readonly<Record<string, string>>, context: BenchContext) {
  const server = await ServerUnderTest.startService(context, { module, environment: { ...patience, ...environment } });
  const notes = new URL('/notes', server.url);
  const cookies = await Promise.all(Array.from({ length: visitors }, () => beginSession(notes)));
  const reads = cookies.map((cookie) => ({ path: '/notes', headers: { cookie } }));
  // Two zones in turns, because an unchanged attribute is not written again.
  const writes = ['Asia/Kolkata', 'Europe/Berlin'].flatMap((zone) =>
    reads.map(({ path, headers }) => ({ method: 'POST', path, headers: { ...headers, 'x-zone': zone } })),
  );
  const load = { url: server.url, count: context.quick ? 2000 : 4000, connections };
  await sendLoad({ ...load, requests: writes.map(requestBytes), status: 302 });
  await sendLoad({ ...load, requests: reads.map(requestBytes) });
  return { server, reads, writes };
}

/** The CPU time of the service, which limits its throughput and hardly changes on a busy machine. */
function cost(store: Store, kind: Kind, context: BenchContext): Contender {
  const status = kind === 'reads' ? 200 : 302;
  return requestCost(store.server, store[kind], context, { status, connections, count });
}

/** Adds sessions as people have them, by a script inside of Redis that copies the first: a million in a few seconds. */
async function fillWithSessions(redis: RedisServer, database: number, count: number): Promise<void> {
  const script = `local function key(index) return 'jig:session:' .. string.format('%043d', index) end
    local first = key(ARGV[1])
    redis.call('HSET', first, 'languageTag', '16:de-CH', 'zoneID', '18:Asia/Kolkata', '\\\\bytes', '34', '\\\\expires', '1794719204211')
    redis.call('PEXPIRE', first, 86400000)
    for index = ARGV[1] + 1, ARGV[1] + 999 do redis.call('COPY', first, key(index)) end`;
  await redis.connected(async (send) => {
    await send(['SELECT', String(database)]);
    for (let first = 0; first < count; first += 1000) await send(['EVAL', script, '0', String(first)]);
  });
}

/** What a Redis has used since it started, in µs. */
async function processorTime(redis: RedisServer): Promise<number> {
  const [text] = (await redis.commands(['INFO', 'cpu'])) as [string];
  const seconds = ['used_cpu_sys', 'used_cpu_user'].map((field) =>
    Number(new RegExp(`^${field}:([\\d.]+)`, 'm').exec(text)?.[1]),
  );
  return seconds.reduce((sum, each) => sum + each, 0) * 1e6;
}
