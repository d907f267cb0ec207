/** Caches, pools of objects and of threads. */
export const poolsAndCaches = {
  LRUCache: {
    package: 'lru-cache',
    line: '200 of 500 entries',
    async make() {
      const { LRUCache } = await import('lru-cache');
      const cache = new LRUCache({ max: 500, ttl: 60_000 });
      for (let id = 0; id < 200; id++) cache.set(`user:${id}`, { id, name: `name ${id}` });
      return cache;
    },
  },
  NodeCache: {
    package: 'node-cache',
    line: '2 entries, 1 hit, 1 miss',
    async make() {
      const { default: NodeCache } = await import('node-cache');
      const cache = new NodeCache({ stdTTL: 100 });
      cache.set('a', { value: 1 });
      cache.set('b', 2);
      cache.get('a');
      cache.get('none');
      return cache;
    },
    end: (cache) => cache.close(),
  },
  Keyv: {
    package: 'keyv',
    line: '1 entry',
    async make() {
      const { Keyv } = await import('keyv');
      const cache = new Keyv();
      await cache.set('a', 1);
      return cache;
    },
  },
  'cache-manager': {
    package: 'cache-manager',
    line: '1 store',
    async make() {
      const { createCache } = await import('cache-manager');
      const cache = createCache({ ttl: 10_000 });
      await cache.set('k', { a: 1 });
      return cache;
    },
  },
  'generic-pool': {
    package: 'generic-pool',
    line: '1 of 3 resources, 1 in use, 0 idle, 0 waiting',
    async make() {
      const { default: genericPool } = await import('generic-pool');
      const pool = genericPool.createPool(
        { create: async () => ({ name: 'thing' }), destroy: async () => {} },
        { max: 3, min: 1 },
      );
      await pool.acquire();
      return pool;
    },
  },
  'tarn Pool': {
    package: 'tarn',
    line: '1 of 3 connections, 1 in use, 0 idle, 0 waiting',
    async make() {
      const { Pool } = await import('tarn');
      const pool = new Pool({ create: async () => ({ name: 'thing' }), destroy: async () => {}, min: 0, max: 3 });
      await pool.acquire().promise;
      return pool;
    },
  },
  Piscina: {
    package: 'piscina',
    line: /^1 of 2 threads, 0 waiting, 1 completed, utilization \d+ %$/,
    async make() {
      const { Piscina } = await import('piscina');
      const filename = new URL('./piscina-task.mjs', import.meta.url).href;
      const pool = new Piscina({ filename, minThreads: 1, maxThreads: 2 });
      await pool.run();
      return pool;
    },
    end: (pool) => pool.destroy(),
  },
  'undici Agent': {
    package: 'undici',
    line: '0 origins',
    async make() {
      const { Agent } = await import('undici');
      return new Agent({ connections: 4 });
    },
  },
  'undici Pool': {
    package: 'undici',
    line: '0 connections, 0 running, 0 pending, 0 queued',
    async make() {
      const { Pool } = await import('undici');
      return new Pool('http://127.0.0.1:1', { connections: 3 });
    },
  },
  'undici Client': {
    package: 'undici',
    line: '0 connections, 0 running, 0 pending',
    async make() {
      const { Client } = await import('undici');
      return new Client('http://127.0.0.1:1');
    },
  },
  'quick-lru QuickLRU': {
    package: 'quick-lru',
    line: '2 of 3 entries',
    document: { a: { n: 1 }, b: 2 },
    async make() {
      const { default: QuickLRU } = await import('quick-lru');
      return new QuickLRU({ maxSize: 3 }).set('a', { n: 1 }).set('b', 2);
    },
  },
};
