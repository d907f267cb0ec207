export type { RedisConnectionOptions } from './redis-connection.ts';
export { RedisConnection } from './redis-connection.ts';
export type { RedisSessionStoreOptions } from './redis-session-store.ts';
export { RedisSessionStore } from './redis-session-store.ts';
