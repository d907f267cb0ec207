import { once } from 'node:events';
import { RedisCluster } from '../../../packages/redis-sessions/test-fixtures/redis-cluster.ts';

const connection = ({ port, password }) => ({ host: '127.0.0.1', port, password, maxRetriesPerRequest: null });

/** Clients of Redis, queues and brokers. */
export const redisAndQueues = {
  ioredis: {
    package: 'ioredis',
    line: 'ready, 0 pending, 0 offline',
    async make({ redis }) {
      const { default: Redis } = await import('ioredis');
      const client = new Redis(connection(redis));
      await client.set('a', 1);
      return client;
    },
    end: (client) => client.disconnect(),
  },
  'redis createClient()': {
    package: 'redis',
    line: /^ready, server 127\.0\.0\.1:\d+$/,
    async make({ redis: { port, password } }) {
      const { createClient } = await import('redis');
      const client = createClient({ url: `redis://default:${password}@127.0.0.1:${port}` });
      client.on('error', () => {});
      await client.connect();
      return client;
    },
    end: (client) => client.destroy(),
  },
  'redis createClientPool()': {
    package: 'redis',
    line: '2 connections, 0 in use, 2 idle, 0 waiting',
    async make({ redis: { port, password } }) {
      const { createClientPool } = await import('redis');
      const pool = createClientPool({ url: `redis://default:${password}@127.0.0.1:${port}` }, { minimum: 2 });
      pool.on('error', () => {});
      await pool.connect();
      return pool;
    },
    end: (pool) => pool.destroy(),
  },
  'ioredis Cluster': {
    package: 'ioredis',
    line: 'ready, 3 nodes, 0 offline',
    async make() {
      const { default: Redis } = await import('ioredis');
      const servers = await RedisCluster.start();
      await servers.settled();
      const cluster = new Redis.Cluster([{ host: '127.0.0.1', port: servers.servers[0].port }]);
      cluster.servers = servers;
      await once(cluster, 'ready');
      return cluster;
    },
    async end(cluster) {
      cluster.disconnect();
      await cluster.servers.stop();
    },
  },
  'bullmq Queue': {
    package: 'bullmq',
    line: 'ready, name mail',
    async make({ redis }) {
      const { Queue } = await import('bullmq');
      const queue = new Queue('mail', { connection: connection(redis) });
      await queue.add('welcome', { to: 'ada' });
      return queue;
    },
    end: (queue) => queue.close(),
  },
  'bullmq Worker': {
    package: 'bullmq',
    line: 'running, 0 of 3 active, redis ready',
    async make({ redis }) {
      const { Worker } = await import('bullmq');
      const worker = new Worker('letters', async () => {}, { connection: connection(redis), concurrency: 3 });
      await worker.waitUntilReady();
      return worker;
    },
    end: (worker) => worker.close(true),
  },
  'kafkajs Kafka': {
    package: 'kafkajs',
    line: '0 consumer groups',
    async make() {
      const { default: kafkajs } = await import('kafkajs');
      const sasl = { mechanism: 'plain', username: 'shop', password: 'kafkaHunter2pw' };
      return new kafkajs.Kafka({ clientId: 'shop', brokers: ['127.0.0.1:1'], sasl });
    },
  },
  'p-queue': {
    package: 'p-queue',
    line: '1 of 1 running, 2 waiting',
    async make() {
      const { default: PQueue } = await import('p-queue');
      const queue = new PQueue({ concurrency: 1 });
      void queue.add(() => new Promise(() => {}));
      void queue.add(async () => 1);
      void queue.add(async () => 2);
      return queue;
    },
  },
  Bottleneck: {
    package: 'bottleneck',
    line: '1 of 1 running, 1 queued, 0 received',
    async make() {
      const { default: Bottleneck } = await import('bottleneck');
      const limiter = new Bottleneck({ maxConcurrent: 1 });
      void limiter.schedule(() => new Promise(() => {}));
      void limiter.schedule(async () => 1);
      await new Promise((resolve) => setTimeout(resolve, 50));
      return limiter;
    },
  },
};
