import { cpus, loadavg } from 'node:os';
import { busiest, type Costs, type Plan, plan, primaryMemory } from './plan.ts';

/** What one request costs: CPU in µs. */
export interface StoreCost {
  readonly cpu: number;
  readonly redisCpu: number;
  readonly redisBytes: number;
  readonly redisCommands: number;
}

export interface Measurements {
  readonly stores: readonly { readonly store: string; readonly read: StoreCost; readonly write: StoreCost }[];
  readonly clock: {
    readonly page: StoreCost;
    readonly form: StoreCost;
    readonly pageBytes: number;
    readonly memory: number;
  };
  readonly growth: readonly {
    readonly sessions: number;
    readonly bytes: number;
    readonly read: StoreCost;
    readonly write: StoreCost;
  }[];
  readonly instances: readonly { readonly number: number; readonly cpu: number; readonly requestsPerSecond: number }[];
}

const demand = { sessions: 10_000_000, requestsPerSecond: 100_000, forms: 0.1 };
const instanceNumbers = [1, 10, 1000];

const whole = (number: number) => Math.round(number).toLocaleString('en');
const gibibytes = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
const gigabits = (bits: number) => `${(bits / 1e9).toFixed(bits < 1e9 ? 2 : 1)} Gbit/s`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function costsOf({ clock, growth }: Measurements): Costs {
  const largest = growth.at(-1);
  return {
    page: clock.page.cpu,
    form: clock.form.cpu,
    redisRead: clock.page.redisCpu,
    redisWrite: clock.form.redisCpu,
    redisReadBytes: clock.page.redisBytes,
    redisWriteBytes: clock.form.redisBytes,
    pageBytes: clock.pageBytes,
    session: largest?.bytes ?? 0,
    instance: clock.memory,
  };
}

const costRow = (name: string, { cpu, redisCpu, redisBytes, redisCommands }: StoreCost) => [
  name,
  whole(cpu),
  redisBytes === 0 ? '' : whole(redisCpu),
  redisBytes === 0 ? '' : whole(redisBytes),
  redisBytes === 0 ? '' : redisCommands.toFixed(2),
];

const planRow = (instances: number, planned: Plan) => [
  whole(instances),
  planned.load > 1 ? `${whole(planned.load * 100)} %: not possible` : `${(planned.load * 100).toFixed(1)} %`,
  gibibytes(planned.instanceMemory),
  `${whole(planned.connections[0])} (${whole(planned.connections[1])})`,
];

/** The page of the measured costs and what follows from them. */
export function capacityPage(measurements: Measurements): string {
  const costs = costsOf(measurements);
  const plans = instanceNumbers.map((instances) => [instances, plan(costs, { ...demand, instances })] as const);
  const any = plan(costs, { ...demand, instances: 1 });
  const primaries = Math.max(any.primariesByCpu, any.primariesByMemory, 3);
  const costHead = [
    'request',
    'CPU of the instance, µs',
    'CPU of Redis, µs',
    'bytes to and from Redis',
    'Redis commands',
  ];
  const storeRows = measurements.stores.flatMap(({ store, read, write }) => [
    costRow(`${store}: read`, read),
    costRow(`${store}: write`, write),
  ]);
  return `# Capacity

How many instances and Redis nodes you need. Written by \`node --import tsx bench/src/capacity/measure-capacity.ts\`, which measures what one request and one session cost, and calculates the rest ([plan.ts](../bench/src/capacity/plan.ts)). Do not edit it.

Measured on ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version.slice(1)}, at a load average of ${(loadavg()[0] ?? 0).toFixed(1)}. CPU time depends far less on the load than elapsed time, but a busy machine makes it longer: your own numbers will rather be lower.

## What a request costs

A small route that reads two attributes of a session, and one that writes them, 32 at a time. In a cluster, the CPU, the bytes and the commands of all six nodes are counted: replication, and what nodes tell each other, included. Waiting for a replica costs \`WAIT\` as a second command; concurrent writes to one Redis share a command.

${table(costHead, storeRows)}

The page of the clock, with its session in a Redis Cluster, as a browser asks for it (${whole(measurements.clock.pageBytes)} bytes compressed), and its form:

${table(costHead, [costRow('page', measurements.clock.page), costRow('form', measurements.clock.form)])}

One instance has ${whole(measurements.clock.memory / 1024 ** 2)} MiB of memory after this.

## What a session costs, and growth

Sessions with a language and a zone, in one Redis. The cost of a request does not grow with their number; it falls while the instance, which is the same for all rows, warms up.

${table(
  [
    'sessions',
    'memory of Redis for each, bytes',
    'read: CPU of Redis, µs',
    'write: CPU of Redis, µs',
    'read: CPU of the instance, µs',
    'write: CPU of the instance, µs',
  ],
  measurements.growth.map(({ sessions, bytes, read, write }) => [
    whole(sessions),
    whole(bytes),
    read.redisCpu.toFixed(1),
    write.redisCpu.toFixed(1),
    whole(read.cpu),
    whole(write.cpu),
  ]),
)}

## One and two instances on two cores

The load and Redis run on the same two cores, so that elapsed time says little; CPU per request says whether a second instance costs more. The suite \`scale\` of \`npm run bench\` measures this and the growth above as well, each number beside its reference.

${table(
  ['instances', 'CPU per request, µs', 'requests per second, by the clock'],
  measurements.instances.map(({ number, cpu, requestsPerSecond }) => [
    String(number),
    whole(cpu),
    whole(requestsPerSecond),
  ]),
)}

## ${whole(demand.sessions)} sessions and ${whole(demand.requestsPerSecond)} requests a second

Nine of ten requests are pages of the clock, one is a form, with the costs of the cluster above. A core may be ${busiest * 100} % busy, so that there is room when others restart or fail. Calculated, not measured:

| what | how much |
| --- | --- |
| instances, one core each | ${whole(any.neededInstances)} |
| Redis primaries by CPU | ${whole(any.primariesByCpu)} |
| Redis primaries by memory, ${gibibytes(primaryMemory)} each | ${whole(any.primariesByMemory)} |
| so a cluster of | ${primaries} primaries and ${primaries} replicas (three primaries are the fewest that Redis allows) |
| memory of all sessions | ${gibibytes(any.redisMemory)}, twice with a replica each |
| Redis commands | ${whole(any.redisCommands)} a second |
| traffic between instances and Redis | ${gigabits(any.redisTraffic)} |
| traffic to visitors | ${gigabits(any.visitorTraffic)} |

${table(
  ['instances', 'how busy each is', 'memory of all instances', 'connections to each primary (waiting for a replica)'],
  plans.map(([instances, planned]) => planRow(instances, planned)),
)}

## Where the next limit is

- **1 instance**: its one core. Use as many instances as there are cores.
- **10 instances**: the same. Redis is the smaller part: its CPU counts all nodes, replicas included, so the primaries have room.
- **1,000 instances**: connections. Each instance has one to each primary, two with \`redis.waitForReplicas\`; Redis allows 10,000 (\`maxclients\`). After a failover all of them connect anew within a second, and each asks a node for the topology. Each pings its connections every 5 seconds. Health checks add a \`PING\` to each primary and a read for each check of each instance: at one check a second, 2,000 commands a second in all with one primary.
- **The network**: pages are far larger than sessions, so the way to visitors is full long before that to Redis.
- **Memory of Redis**: a full copy to a new replica takes memory beside the data while writes go on. Set \`maxmemory\` below what the machine has, with \`noeviction\`: an evicted session is a lost choice.
`;
}
