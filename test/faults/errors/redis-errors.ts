import type { redisErrors } from '../../../packages/redis-sessions/src/errors.ts';
import { RedisServer } from '../../../packages/redis-sessions/test-fixtures/redis-server.ts';
import { type ErrorScenario, shared } from './error-scenario.ts';

/** What an application sees that asks a Redis of its own, which has no replica, is frozen, and ends. */
const redisFaults = shared(async (sandbox) => {
  const redis = await RedisServer.start();
  sandbox.finally(() => redis.stop());
  const register = `host.routes(async (server) => {
    const redis = () => host.beans.get('redis');
    server.get('/ask', async () => (await redis()).send(['PING']));
    server.get('/write', async () => (await redis()).write(['SET', 'a', 'b'], 'a'));
  });`;
  const options = await sandbox.feature(register, ['@jig/redis-sessions']);
  const environment = { REDIS_URL: redis.url, JIG_LOG_LEVEL: 'debug' };
  const flags = ['--redis.commandTimeout=3s', '--redis.waitForReplicas=1'];
  // In a process of its own: this one is too busy for such a time-out.
  const service = await sandbox.start({ ...options, environment, flags });
  const notReplicated = await sandbox.postponedRequest(service, '/write', 'JIG_REDIS_NOT_REPLICATED');
  redis.signal('SIGSTOP');
  const timeout = await sandbox.postponedRequest(service, '/ask', 'JIG_REDIS_TIMEOUT');
  await redis.stop();
  await service.printed(/cannot be reached/);
  const notReady = await sandbox.postponedRequest(service, '/ask', 'JIG_REDIS_NOT_READY');
  return { notReplicated, timeout, notReady };
});

export const redisErrorScenarios: Record<keyof typeof redisErrors, ErrorScenario> = {
  JIG_REDIS_ADDRESS_INVALID: {
    names: /address in REDIS_URL cannot be used/,
    advises: /must begin with redis:\/\//,
    run: (sandbox) => sandbox.failedStart({ environment: { REDIS_URL: 'http://me:open-sesame@localhost' } }),
  },
  JIG_REDIS_UNREACHABLE: {
    names: /Redis at redis:\/\/127\.0\.0\.1:\d+\/0 cannot be used: .*ECONNREFUSED/,
    advises: /Check that it runs/,
    async run(sandbox) {
      const redis = await RedisServer.start();
      await redis.stop();
      const application = await sandbox.application({ dependencies: ['@jig/redis-sessions'] });
      const REDIS_URL = `redis://me:open-sesame@127.0.0.1:${redis.port}`;
      return sandbox.failedStart({ ...application, environment: { REDIS_URL } });
    },
  },
  JIG_REDIS_NOT_READY: {
    names: /Redis at redis:\/\/127\.0\.0\.1:\d+\/0 cannot be reached/,
    advises: /it reconnects by itself/,
    run: async (sandbox) => (await redisFaults(sandbox)).notReady,
  },
  JIG_REDIS_TIMEOUT: {
    names: /Redis did not answer within 3000 ms/,
    advises: /raise redis\.commandTimeout/,
    run: async (sandbox) => (await redisFaults(sandbox)).timeout,
  },
  JIG_REDIS_NOT_REPLICATED: {
    names: /0 of 1 replicas had a write within \d+ ms/,
    advises: /redis\.waitForReplicas says how many must/,
    run: async (sandbox) => (await redisFaults(sandbox)).notReplicated,
  },
};
