import { types } from 'node:util';
import { bySymbol } from './shape.ts';
import { address, type Live, outOf, pool, view } from './view-table.ts';

const offline = { read: (live: Live) => live.offlineQueue.length, description: 'Commands that wait for a connection.' };
const redisState = ({ backend, connection }: Live) => (backend?.connection ?? connection)?.status;
/** The number of jobs is in Redis, so only `ask` reads it. */
const jobs = (state: string) => ({ ask: true, read: async (live: Live) => (await live.getJobCounts())[state] });
const offsets = (live: Live) => bySymbol(live, 'private:Kafka:offsets') as ReadonlyMap<string, object>;

export const redisAndQueues = [
  view('ioredis.Redis', {
    has: 'commandQueue offlineQueue connector status',
    reads: { state: 'status', pending: 'commandQueue.length', offline },
    settings: { server: address('options'), database: 'options.db' },
  }),
  view('redis.Client', {
    is: (_value, traits) =>
      traits.isNamed('RedisClient') || (traits.has('isOpen', 'isReady', 'isPubSubActive') && traits.can('sendCommand')),
    reads: {
      state: ({ isOpen, isReady }) => (isReady ? 'ready' : isOpen ? 'connecting' : 'closed'),
      subscribed: 'isPubSubActive',
    },
    settings: { server: address('options.socket'), database: 'options.database' },
  }),
  view('ioredis.Cluster', {
    has: 'isCluster connectionPool offlineQueue startupNodes',
    reads: {
      state: 'status',
      nodes: ({ connectionPool }) =>
        Object.entries(connectionPool.nodes.all).map(([node, { status }]: Live) => ({ node, state: status })),
      offline,
    },
  }),
  view('redis.ClientPool', {
    has: 'totalClients clientsInUse idleClients tasksQueueLength',
    can: 'sendCommand',
    reads: pool({
      connections: 'totalClients',
      inUse: 'clientsInUse',
      idle: 'idleClients',
      waiting: 'tasksQueueLength',
    }),
  }),
  view('bullmq.Queue', {
    can: 'getJobCounts addBulk obliterate',
    has: 'toKey',
    reads: {
      state: redisState,
      waiting: jobs('waiting'),
      active: jobs('active'),
      delayed: jobs('delayed'),
      failed: jobs('failed'),
      completed: jobs('completed'),
    },
    settings: { name: 'name', prefix: ({ opts }) => opts.prefix ?? 'bull' },
  }),
  view('bullmq.Worker', {
    has: 'toKey concurrency',
    can: 'isRunning isPaused',
    reads: {
      state: (live) => (live.isPaused() ? 'paused' : live.isRunning() ? 'running' : 'not running'),
      active: outOf(({ lockManager }: Live) => lockManager?.getActiveJobCount?.(), 'concurrency'),
      redis: redisState,
    },
    settings: { queue: 'name' },
  }),
  // Its brokers, producers and consumers are in closures; only the committed offsets are reachable.
  view('kafkajs.Kafka', {
    can: 'producer consumer admin',
    is: (value) => types.isMap(offsets(value)),
    reads: { consumerGroups: (live) => offsets(live).size },
    content: (live) => ({ committedOffsets: offsets(live) }),
  }),
  view('amqplib.Channel', {
    has: 'consumers pending ch',
    can: 'assertQueue ack',
    reads: { consumers: 'consumers.size', pending: 'pending.length', unconfirmed: 'unconfirmed.length' },
    settings: { channel: 'ch' },
  }),
  view('amqplib.ChannelModel', {
    has: 'connection',
    can: 'createChannel createConfirmChannel',
    // Channel 0 is the connection itself.
    reads: {
      channels: ({ connection }) => connection.channels.filter(Boolean).length - 1,
      blocked: 'connection.blocked',
    },
    settings: { heartbeat: 'connection.heartbeat s' },
  }),
];
