import { types } from 'node:util';
import { poolMetrics } from './metrics.ts';
import { bySymbol, can, endpoint, has, isNamed } from './shape.ts';
import { type Reading, setting, type View, type With } from './view.ts';

type IoRedis = With<'status'> & With<'commandQueue' | 'offlineQueue', With<'length'>> & With<'options', With<string>>;

export const ioredis: View<IoRedis> = {
  name: 'ioredis.Redis',
  matches: (value): value is IoRedis => has(value, 'commandQueue', 'offlineQueue', 'connector', 'status'),
  readings: {
    state: { read: ({ status }) => status },
    pending: { read: ({ commandQueue }) => commandQueue.length },
    offline: { read: ({ offlineQueue }) => offlineQueue.length, description: 'Commands that wait for a connection.' },
    server: setting(({ options }) => options.path ?? endpoint(options.host, options.port)),
    database: setting(({ options }) => options.db),
  },
};

interface NodeRedis extends With<'isOpen' | 'isReady' | 'isPubSubActive'> {
  readonly options?: {
    readonly socket?: { readonly host?: string; readonly port?: number; readonly path?: string };
    readonly database?: number;
  };
}

export const nodeRedis: View<NodeRedis> = {
  name: 'redis.Client',
  matches: (value): value is NodeRedis =>
    isNamed(value, 'RedisClient') || (has(value, 'isOpen', 'isReady', 'isPubSubActive') && can(value, 'sendCommand')),
  readings: {
    state: { read: ({ isOpen, isReady }) => (isReady ? 'ready' : isOpen ? 'connecting' : 'closed') },
    subscribed: { read: ({ isPubSubActive }) => isPubSubActive },
    server: setting(({ options }) => options?.socket?.path ?? endpoint(options?.socket?.host, options?.socket?.port)),
    database: setting(({ options }) => options?.database),
  },
};

interface BullBase {
  readonly name: string;
  readonly opts: { readonly prefix?: string };
  readonly backend?: { readonly connection?: { readonly status?: string } };
  readonly connection?: { readonly status?: string };
}

const redisState: Reading<BullBase> = {
  read: ({ backend, connection }) => (backend?.connection ?? connection)?.status,
};

interface BullQueue extends BullBase {
  getJobCounts(): Promise<Readonly<Record<string, number>>>;
}

/** A count of jobs is in Redis, so it is asked for. */
const jobs = (state: string): Reading<BullQueue> => ({
  ask: true,
  read: async (queue) => (await queue.getJobCounts())[state],
});

export const bullQueue: View<BullQueue> = {
  name: 'bullmq.Queue',
  matches: (value): value is BullQueue => can(value, 'getJobCounts', 'addBulk', 'obliterate') && has(value, 'toKey'),
  readings: {
    state: redisState,
    name: setting(({ name }) => name),
    prefix: setting(({ opts }) => opts.prefix ?? 'bull'),
    waiting: jobs('waiting'),
    active: jobs('active'),
    delayed: jobs('delayed'),
    failed: jobs('failed'),
    completed: jobs('completed'),
  },
};

interface BullWorker extends BullBase {
  readonly concurrency: number;
  isRunning(): boolean;
  isPaused(): boolean;
  readonly lockManager?: { getActiveJobCount?(): number };
}

export const bullWorker: View<BullWorker> = {
  name: 'bullmq.Worker',
  matches: (value): value is BullWorker => has(value, 'toKey', 'concurrency') && can(value, 'isRunning', 'isPaused'),
  readings: {
    state: { read: (worker) => (worker.isPaused() ? 'paused' : worker.isRunning() ? 'running' : 'not running') },
    active: { read: ({ lockManager }) => lockManager?.getActiveJobCount?.(), of: ({ concurrency }) => concurrency },
    redis: redisState,
    queue: setting(({ name }) => name),
  },
};

const kafkaOffsets = (kafka: object) => bySymbol(kafka, 'private:Kafka:offsets') as ReadonlyMap<string, object>;

/** Its brokers, producers and consumers are in closures; what its groups have committed is not. */
export const kafka: View = {
  name: 'kafkajs.Kafka',
  matches: (value): value is object =>
    can(value, 'producer', 'consumer', 'admin') && types.isMap(bySymbol(value, 'private:Kafka:offsets')),
  readings: { consumerGroups: { read: (value) => kafkaOffsets(value).size } },
  content: (value) => ({ committedOffsets: kafkaOffsets(value) }),
};

interface AmqpChannel extends With<'pending', readonly unknown[]>, With<'consumers', ReadonlyMap<string, unknown>> {
  readonly unconfirmed?: readonly unknown[];
  readonly ch: number;
}

export const amqpChannel: View<AmqpChannel> = {
  name: 'amqplib.Channel',
  matches: (value): value is AmqpChannel =>
    has(value, 'consumers', 'pending', 'ch') && can(value, 'assertQueue', 'ack'),
  readings: {
    consumers: { read: ({ consumers }) => consumers.size },
    pending: { read: ({ pending }) => pending.length },
    unconfirmed: { read: ({ unconfirmed }) => unconfirmed?.length },
    channel: setting(({ ch }) => ch),
  },
};

interface AmqpConnection {
  /** The first one is the connection's own. */
  readonly connection: With<'channels', readonly unknown[]> & With<'blocked' | 'heartbeat'>;
}

export const amqpConnection: View<AmqpConnection> = {
  name: 'amqplib.ChannelModel',
  matches: (value): value is AmqpConnection =>
    has(value, 'connection') && can(value, 'createChannel', 'createConfirmChannel'),
  readings: {
    channels: { read: ({ connection }) => connection.channels.filter(Boolean).length - 1 },
    blocked: { read: ({ connection }) => connection.blocked },
    heartbeat: setting(({ connection }) => connection.heartbeat, 's'),
  },
};

type PQueue = With<'size' | 'pending' | 'isPaused' | 'concurrency'>;

export const pQueue: View<PQueue> = {
  name: 'p-queue.PQueue',
  matches: (value): value is PQueue =>
    has(value, 'size', 'pending', 'isPaused', 'concurrency') && can(value, 'add', 'onIdle'),
  readings: {
    running: { read: ({ pending }) => pending, of: ({ concurrency }) => concurrency },
    waiting: { read: ({ size }) => size },
    paused: { read: ({ isPaused }) => isPaused },
  },
};

interface Bottleneck {
  counts(): Readonly<Record<string, number>>;
  readonly _store: { readonly storeOptions?: Readonly<Record<string, unknown>> };
}

export const bottleneck: View<Bottleneck> = {
  name: 'bottleneck.Bottleneck',
  matches: (value): value is Bottleneck => can(value, 'counts', 'schedule', 'wrap') && has(value, '_store', '_queues'),
  readings: {
    running: {
      read: (limiter) => (limiter.counts().RUNNING ?? 0) + (limiter.counts().EXECUTING ?? 0),
      of: ({ _store }) => _store.storeOptions?.maxConcurrent,
    },
    queued: { read: (limiter) => limiter.counts().QUEUED },
    received: { read: (limiter) => limiter.counts().RECEIVED },
    minTime: setting(({ _store }) => _store.storeOptions?.minTime, 'ms'),
  },
};

interface RedisCluster extends With<'status'>, With<'offlineQueue', With<'length'>> {
  readonly connectionPool: { readonly nodes: { readonly all: Readonly<Record<string, With<'status'>>> } };
}

export const ioredisCluster: View<RedisCluster> = {
  name: 'ioredis.Cluster',
  matches: (value): value is RedisCluster => has(value, 'isCluster', 'connectionPool', 'offlineQueue', 'startupNodes'),
  readings: {
    state: { read: ({ status }) => status },
    nodes: {
      read: ({ connectionPool: { nodes } }) =>
        Object.entries(nodes.all).map(([node, { status }]) => ({ node, state: status })),
    },
    offline: { read: ({ offlineQueue }) => offlineQueue.length, description: 'Commands that wait for a connection.' },
  },
};

type RedisPool = With<'totalClients' | 'clientsInUse' | 'idleClients' | 'tasksQueueLength'>;

export const redisPool: View<RedisPool> = {
  name: 'redis.ClientPool',
  matches: (value): value is RedisPool =>
    has(value, 'totalClients', 'clientsInUse', 'idleClients', 'tasksQueueLength') && can(value, 'sendCommand'),
  readings: {
    connections: { read: ({ totalClients }) => totalClients },
    inUse: { read: ({ clientsInUse }) => clientsInUse, ...poolMetrics.inUse },
    idle: { read: ({ idleClients }) => idleClients, ...poolMetrics.idle },
    waiting: { read: ({ tasksQueueLength }) => tasksQueueLength, ...poolMetrics.waiting },
  },
};
