import { defineAddOn } from '@jig/application';
import { parseAddress } from './redis-address.ts';
import type { RedisConnection } from './redis-connection.ts';
import { RedisSessionStore } from './redis-session-store.ts';
import { redisSettings } from './settings.ts';

/** The beans of this add-on, by name. */
export interface RedisBeans {
  readonly redis: RedisConnection;
  readonly redisSessionStore: RedisSessionStore;
}

declare module '@jig/application' {
  interface BeanTypes extends RedisBeans {}
}

export default defineAddOn({
  name: '@jig/redis-sessions',
  section: 'redis',
  settings: redisSettings,
  needs: ['redis'],

  condition: ({ settings: { url } }) =>
    url === undefined
      ? { met: false, because: 'REDIS_URL is not set' }
      : { met: true, because: 'REDIS_URL names a Redis' },

  async register(host) {
    // The client is large, and most applications that include this are started without a Redis.
    const { RedisConnection } = await import('./redis-connection.ts');
    const { url = '', prefix, connectTimeout, commandTimeout, waitForReplicas } = host.settings;
    const { credentials, sentinelCredentials } = parseAddress(url);
    for (const { password } of [credentials, sentinelCredentials]) if (password !== undefined) host.secret(password);
    host.define('redis', {
      type: 'RedisConnection',
      create: () => new RedisConnection({ url, connectTimeout, commandTimeout, waitForReplicas, log: host.log }),
      start: (redis, signal) => redis.start(signal),
      stop: (redis) => redis.stop(),
    });
    host.define('redisSessionStore', {
      type: 'RedisSessionStore',
      needs: ['redis'],
      create: ({ redis }) => new RedisSessionStore(redis, { prefix }),
    });
    host.sessionStore({ name: 'redis', priority: 20, bean: 'redisSessionStore' });
    host.health('redis', ({ redis }) => redis.health());
  },
});
