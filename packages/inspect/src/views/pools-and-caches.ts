import { types } from 'node:util';
import { readPrivateFields } from '../inner-session.ts';
import { tarnReads } from './databases.ts';
import { bySymbol } from './shape.ts';
import { type Live, outOf, pool, view } from './view-table.ts';

const isUndici = (symbol: string) => ({
  named: 'DispatcherBase',
  has: 'stats',
  is: (value: object) => bySymbol(value, symbol) !== undefined,
});

const storeSize = (store: Live) => (store instanceof Map ? store.size : undefined);

export const poolsAndCaches = [
  view('generic-pool.Pool', {
    has: 'borrowed available pending spareResourceCapacity',
    can: 'acquire drain',
    reads: { resources: outOf('size', 'max'), inUse: 'borrowed', idle: 'available', waiting: 'pending' },
    settings: { minimum: 'min' },
  }),
  view('tarn.Pool', { has: 'used free pendingAcquires pendingCreates max', reads: pool(tarnReads) }),
  view('piscina.Piscina', {
    has: 'threads queueSize utilization maxThreads',
    can: 'run',
    reads: {
      threads: outOf('threads.length', 'maxThreads'),
      waiting: 'queueSize',
      completed: 'completed',
      utilization: { read: ({ utilization }) => 100 * utilization, unit: '%' },
    },
  }),
  view('undici.Pool', {
    ...isUndici('url'),
    reads: {
      connections: ({ stats }) => Number(stats.connected),
      running: 'stats.running',
      pending: 'stats.pending',
      queued: 'stats.queued',
    },
    settings: { origin: (live) => (bySymbol(live, 'url') as URL).origin },
  }),
  view('undici.Agent', {
    ...isUndici('factory'),
    reads: {
      origins: ({ stats }) =>
        Object.entries(stats).map(([origin, { connected, running, pending }]: Live) => ({
          origin,
          connections: Number(connected),
          running,
          pending,
        })),
    },
  }),
  view('lru-cache.LRUCache', {
    has: 'calculatedSize maxSize ttl max size',
    can: 'peek entries purgeStale',
    reads: {
      entries: outOf('size', ({ max }: Live) => max || undefined),
      size: outOf(({ calculatedSize, maxSize }: Live) => (maxSize ? calculatedSize : undefined), 'maxSize'),
    },
    settings: { timeToLive: { read: ({ ttl }) => ttl || undefined, unit: 'ms' } },
    content: (live) => new Map(live.entries()),
  }),
  // Its own iterators throw away what has expired.
  view('quick-lru.QuickLRU', {
    has: 'maxSize maxAge',
    can: 'peek resize entriesAscending',
    reads: { entries: outOf('size', 'maxSize') },
    settings: { timeToLive: { read: ({ maxAge }) => (Number.isFinite(maxAge) ? maxAge : undefined), unit: 'ms' } },
    content: (live) => {
      const fields = readPrivateFields(live as object);
      const caches = ['oldCache', 'cache'].map((name) => fields.get(`#${name}`) ?? live[name]);
      if (!caches.every(types.isMap)) return live;
      return new Map(caches.flatMap((cache) => [...cache].map(([key, item]: Live) => [key, item.value])));
    },
  }),
  view('node-cache.NodeCache', {
    has: 'stats data validKeyTypes',
    can: 'getTtl flushAll',
    reads: {
      entries: outOf('stats.keys', ({ options }: Live) => (options.maxKeys > 0 ? options.maxKeys : undefined)),
      hits: 'stats.hits',
      misses: 'stats.misses',
    },
    settings: { timeToLive: 'options.stdTTL s' },
  }),
  view('keyv.Keyv', {
    has: '_store stats hooks',
    can: 'getMany deleteMany',
    reads: {
      entries: ({ _store }) => storeSize(_store),
      hits: ({ stats }) => (stats.enabled ? stats.hits : undefined),
      misses: ({ stats }) => (stats.enabled ? stats.misses : undefined),
    },
    settings: { store: '_store.constructor.name', namespace: '_namespace', timeToLive: '_ttl ms' },
  }),
  view('cache-manager.Cache', {
    can: 'wrap mget mset',
    has: 'stores cacheId',
    reads: {
      stores: ({ stores }) =>
        stores.map((each: Live) => ({ store: each.constructor.name, entries: storeSize(each._store) ?? '' })),
    },
  }),
];
