import type { RedisServer } from '../../../packages/redis-sessions/test-fixtures/redis-server.ts';

const step = 10_000;

/** Each is a copy of the first, which takes Redis less time than commands for each. */
const script = `local function key(index) return 'jig:session:' .. string.format('%043d', index) end
  local first = key(ARGV[1])
  redis.call('HSET', first, 'languageTag', '16:de-CH', 'zoneID', '18:Asia/Kolkata', '\\\\bytes', '34', '\\\\expires', '1794719204211')
  redis.call('PEXPIRE', first, 86400000)
  for index = ARGV[1] + 1, ARGV[2] do redis.call('COPY', first, key(index)) end`;

/** Adds sessions as people have them to a database of a Redis, by a script inside it: a million in a few seconds. */
export async function fillWithSessions(server: RedisServer, from: number, to: number, database = 0): Promise<void> {
  await server.connected(async (send) => {
    await send(['SELECT', String(database)]);
    for (let first = from; first < to; first += step)
      await send(['EVAL', script, '0', String(first), String(Math.min(first + step, to) - 1)]);
  });
}

/** What a Redis has counted since it started. */
export interface Counted {
  /** In µs. */
  readonly cpu: number;
  readonly bytes: number;
  readonly commands: number;
}

export async function counted(servers: readonly RedisServer[]): Promise<Counted> {
  const each = servers.map(async (server) => {
    const [text] = (await server.commands(['INFO', 'everything'])) as [string];
    const value = (field: string) => Number(new RegExp(`^${field}:([\\d.]+)`, 'm').exec(text)?.[1] ?? 0);
    // Those of scripts, not what scripts call.
    const asked = ['hgetall', 'evalsha', 'eval', 'wait'].map((name) =>
      Number(new RegExp(`^cmdstat_${name}:calls=(\\d+)`, 'm').exec(text)?.[1] ?? 0),
    );
    return {
      cpu: 1e6 * (value('used_cpu_sys') + value('used_cpu_user')),
      bytes: value('total_net_input_bytes') + value('total_net_output_bytes'),
      commands: asked.reduce((sum, calls) => sum + calls, 0),
    };
  });
  const all = await Promise.all(each);
  const sum = (pick: (one: Counted) => number) => all.reduce((total, one) => total + pick(one), 0);
  return { cpu: sum(({ cpu }) => cpu), bytes: sum(({ bytes }) => bytes), commands: sum(({ commands }) => commands) };
}
