import { EmbeddedDatabase } from '../server/embedded-database.ts';
import type { Database } from './database.ts';
import { DatabasePool } from './database-pool.ts';

const count = 'db.client.connection.count';
const inState = (state: string) => ({ metric: count, attributes: { 'db.client.connection.state': state } });

export const poolView = {
  name: 'DatabasePool',
  matches: (value: object): value is DatabasePool => value instanceof DatabasePool,
  readings: {
    connections: {
      read: ({ open }: DatabasePool) => open ?? undefined,
      of: ({ size }: DatabasePool) => size,
      ofMetric: 'db.client.connection.max',
    },
    inUse: {
      read: ({ open, idle }: DatabasePool) => (open === null ? undefined : open - (idle ?? 0)),
      ...inState('used'),
    },
    idle: { read: ({ idle }: DatabasePool) => idle ?? undefined, ...inState('idle') },
    waiting: {
      read: ({ waiting }: DatabasePool) => waiting ?? undefined,
      metric: 'db.client.connection.pending_requests',
    },
    connectTimeout: { read: ({ connectTimeout }: DatabasePool) => connectTimeout, unit: 'ms', isSetting: true },
    queryTimeout: { read: ({ queryTimeout }: DatabasePool) => queryTimeout, unit: 'ms', isSetting: true },
  },
};

export const databaseView = {
  name: 'EmbeddedDatabase',
  matches: (value: object): value is EmbeddedDatabase => value instanceof EmbeddedDatabase,
  readings: {
    state: { read: ({ state }: Database) => state },
    uptime: { read: ({ uptime }: EmbeddedDatabase) => uptime ?? undefined, unit: 'ms' },
    restarts: { read: ({ restarts }: EmbeddedDatabase) => restarts },
    engine: { read: ({ engine }: Database) => engine, isSetting: true },
    version: { read: ({ version }: Database) => version, isSetting: true },
    pid: { read: ({ pid }: EmbeddedDatabase) => pid ?? undefined, isSetting: true },
  },
};
