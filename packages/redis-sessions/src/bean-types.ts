import type { RedisConnection } from './redis-connection.ts';
import type { RedisSessionStore } from './redis-session-store.ts';

/** The beans of this add-on, by name. */
export interface RedisBeans {
  readonly redis: RedisConnection;
  readonly redisSessionStore: RedisSessionStore;
}

declare module '@jig/application' {
  interface BeanTypes extends RedisBeans {}
}
