import { type TarnPool, tarnReadings } from './databases.ts';
import { bySymbol, can, has, isNamed } from './shape.ts';
import { setting, type View, type With } from './view.ts';

type GenericPool = With<'size' | 'available' | 'borrowed' | 'pending' | 'max' | 'min'>;

export const genericPool: View<GenericPool> = {
  name: 'generic-pool.Pool',
  matches: (value): value is GenericPool =>
    has(value, 'borrowed', 'available', 'pending', 'spareResourceCapacity') && can(value, 'acquire', 'drain'),
  readings: {
    resources: { read: ({ size }) => size, of: ({ max }) => max },
    inUse: { read: ({ borrowed }) => borrowed },
    idle: { read: ({ available }) => available },
    waiting: { read: ({ pending }) => pending },
    minimum: setting(({ min }) => min),
  },
};

export const tarnPool: View<TarnPool> = {
  name: 'tarn.Pool',
  matches: (value): value is TarnPool => has(value, 'used', 'free', 'pendingAcquires', 'pendingCreates', 'max'),
  readings: tarnReadings,
};

type Piscina = With<'queueSize' | 'completed' | 'maxThreads'> &
  With<'threads', readonly unknown[]> &
  With<'utilization', number>;

export const piscina: View<Piscina> = {
  name: 'piscina.Piscina',
  matches: (value): value is Piscina =>
    has(value, 'threads', 'queueSize', 'utilization', 'maxThreads') && can(value, 'run'),
  readings: {
    threads: { read: ({ threads }) => threads.length, of: ({ maxThreads }) => maxThreads },
    waiting: { read: ({ queueSize }) => queueSize },
    completed: { read: ({ completed }) => completed },
    utilization: { read: ({ utilization }) => 100 * utilization, unit: '%' },
  },
};

interface UndiciStats {
  readonly connected: number | boolean;
  readonly pending: number;
  readonly running: number;
  readonly queued?: number;
}

type UndiciPool = With<'stats', UndiciStats>;

export const undiciPool: View<UndiciPool> = {
  name: 'undici.Pool',
  matches: (value): value is UndiciPool =>
    isNamed(value, 'DispatcherBase') && has(value, 'stats') && bySymbol(value, 'url') !== undefined,
  readings: {
    connections: { read: ({ stats }) => Number(stats.connected) },
    running: { read: ({ stats }) => stats.running },
    pending: { read: ({ stats }) => stats.pending },
    queued: { read: ({ stats }) => stats.queued },
    origin: setting((pool) => (bySymbol(pool, 'url') as URL).origin),
  },
};

type UndiciAgent = With<'stats', Readonly<Record<string, UndiciStats>>>;

export const undiciAgent: View<UndiciAgent> = {
  name: 'undici.Agent',
  matches: (value): value is UndiciAgent =>
    isNamed(value, 'DispatcherBase') && has(value, 'stats') && bySymbol(value, 'factory') !== undefined,
  readings: {
    origins: {
      read: ({ stats }) =>
        Object.entries(stats).map(([origin, { connected, running, pending }]) => ({
          origin,
          connections: Number(connected),
          running,
          pending,
        })),
    },
  },
};

type LruCache = With<'size' | 'max' | 'maxSize' | 'calculatedSize' | 'ttl'> & {
  entries(): Iterable<readonly [unknown, unknown]>;
};

export const lruCache: View<LruCache> = {
  name: 'lru-cache.LRUCache',
  matches: (value): value is LruCache =>
    has(value, 'calculatedSize', 'maxSize', 'ttl', 'max', 'size') && can(value, 'peek', 'entries', 'purgeStale'),
  readings: {
    entries: { read: ({ size }) => size, of: ({ max }) => max || undefined },
    size: {
      read: ({ calculatedSize, maxSize }) => (maxSize ? calculatedSize : undefined),
      of: ({ maxSize }) => maxSize,
    },
    timeToLive: setting(({ ttl }) => ttl || undefined, 'ms'),
  },
  content: (cache) => new Map(cache.entries()),
};

interface NodeCache {
  readonly stats: Readonly<Record<'keys' | 'hits' | 'misses', number>>;
  readonly options: { readonly stdTTL?: number; readonly maxKeys?: number };
}

export const nodeCache: View<NodeCache> = {
  name: 'node-cache.NodeCache',
  matches: (value): value is NodeCache =>
    has(value, 'stats', 'data', 'validKeyTypes') && can(value, 'getTtl', 'flushAll'),
  readings: {
    entries: {
      read: ({ stats }) => stats.keys,
      of: ({ options }) => ((options.maxKeys ?? -1) > 0 ? options.maxKeys : undefined),
    },
    hits: { read: ({ stats }) => stats.hits },
    misses: { read: ({ stats }) => stats.misses },
    timeToLive: setting(({ options }) => options.stdTTL, 's'),
  },
};

interface Keyv {
  readonly _store: object;
  readonly _namespace?: string;
  readonly _ttl?: number;
  readonly stats: { readonly enabled: boolean; readonly hits: number; readonly misses: number };
}

export const keyv: View<Keyv> = {
  name: 'keyv.Keyv',
  matches: (value): value is Keyv => has(value, '_store', 'stats', 'hooks') && can(value, 'getMany', 'deleteMany'),
  readings: {
    entries: { read: ({ _store }) => (_store instanceof Map ? _store.size : undefined) },
    hits: { read: ({ stats }) => (stats.enabled ? stats.hits : undefined) },
    misses: { read: ({ stats }) => (stats.enabled ? stats.misses : undefined) },
    store: setting(({ _store }) => _store.constructor.name),
    namespace: setting(({ _namespace }) => _namespace),
    timeToLive: setting(({ _ttl }) => _ttl, 'ms'),
  },
};

type CacheManager = With<'stores', readonly object[]>;

const entriesOf = (store: object) => (keyv.matches(store) && store._store instanceof Map ? store._store.size : '');

export const cacheManager: View<CacheManager> = {
  name: 'cache-manager.Cache',
  matches: (value): value is CacheManager => can(value, 'wrap', 'mget', 'mset') && has(value, 'stores', 'cacheId'),
  readings: {
    stores: {
      read: ({ stores }) => stores.map((store) => ({ store: store.constructor.name, entries: entriesOf(store) })),
    },
  },
};
