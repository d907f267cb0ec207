/** What one request and one session cost, as measured. CPU is in µs, everything else in bytes. */
export interface Costs {
  /** CPU of an instance for a page of the clock whose session is in a cluster, and for a form. */
  readonly page: number;
  readonly form: number;
  /** CPU of all nodes of Redis together. */
  readonly redisRead: number;
  readonly redisWrite: number;
  /** Between an instance and Redis, both ways. */
  readonly redisReadBytes: number;
  readonly redisWriteBytes: number;
  /** What a page takes on the wire to the visitor, compressed. */
  readonly pageBytes: number;
  /** Memory of Redis for one session. */
  readonly session: number;
  /** Memory of an instance. */
  readonly instance: number;
}

export interface Demand {
  readonly sessions: number;
  readonly requestsPerSecond: number;
  /** The share of requests that are forms. */
  readonly forms: number;
  readonly instances: number;
}

export interface Plan {
  /** How busy the core of each instance is; above 1 it cannot be done. */
  readonly load: number;
  /** The fewest instances that do it, each at most `busiest` busy. */
  readonly neededInstances: number;
  /** By CPU and by memory; the greater number counts. */
  readonly primariesByCpu: number;
  readonly primariesByMemory: number;
  /** In bytes. */
  readonly redisMemory: number;
  readonly instanceMemory: number;
  /** In bits per second. */
  readonly redisTraffic: number;
  readonly visitorTraffic: number;
  readonly redisCommands: number;
  /** From all instances to each primary, without and with `redis.waitForReplicas`. */
  readonly connections: readonly [number, number];
}

/** How busy a core may be, so that a failover or a restart of others leaves room. */
export const busiest = 0.6;
/** How much memory one Redis may have: a copy for a new replica takes seconds, not minutes. */
export const primaryMemory = 8 * 1024 ** 3;
/** A read for each page, a script for each form, and a prolongation a minute at most, which a session of many pages hardly shows. */
const commandsPerRequest = 1;

/** What so many sessions and requests need. Each instance and each Redis uses one core. */
export function plan(costs: Costs, { sessions, requestsPerSecond, forms, instances }: Demand): Plan {
  const mix = (page: number, form: number) => page * (1 - forms) + form * forms;
  const instanceCpu = (requestsPerSecond * mix(costs.page, costs.form)) / 1e6;
  const redisCpu = (requestsPerSecond * mix(costs.redisRead, costs.redisWrite)) / 1e6;
  const redisMemory = sessions * costs.session;
  return {
    load: instanceCpu / instances,
    neededInstances: Math.ceil(instanceCpu / busiest),
    primariesByCpu: Math.ceil(redisCpu / busiest),
    primariesByMemory: Math.ceil(redisMemory / primaryMemory),
    redisMemory,
    instanceMemory: instances * costs.instance,
    redisTraffic: 8 * requestsPerSecond * mix(costs.redisReadBytes, costs.redisWriteBytes),
    visitorTraffic: 8 * requestsPerSecond * mix(costs.pageBytes, 0),
    redisCommands: requestsPerSecond * commandsPerRequest,
    connections: [instances, 2 * instances],
  };
}
