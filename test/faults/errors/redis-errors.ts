import type { redisErrors } from '../../../packages/redis-sessions/src/errors.ts';
import { RedisServer } from '../../../packages/redis-sessions/test-fixtures/redis-server.ts';
import type { RunningService } from '../../support/start-service.ts';
import type { ErrorScenario, Sandbox } from './error-scenario.ts';

/** An application that asks Redis something, with a Redis of its own. */
async function asking(sandbox: Sandbox): Promise<{ redis: RedisServer; service: RunningService }> {
  const redis = await RedisServer.start();
  sandbox.finally(() => redis.stop());
  const register = `host.routes(async (server) => {
    const redis = () => host.beans.get('redis');
    server.get('/ask', async () => (await redis()).send(['PING']));
    server.get('/write', async () => (await redis()).write(['SET', 'a', 'b'], 'a'));
  });`;
  const options = await sandbox.feature(register, ['@jig/redis-sessions']);
  const environment = { REDIS_URL: redis.url, JIG_LOG_LEVEL: 'debug' };
  const flags = ['--redis.commandTimeout=300ms', '--redis.waitForReplicas=1'];
  return { redis, service: await sandbox.start({ ...options, environment, flags }) };
}

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
      const options = await sandbox.application({ dependencies: ['@jig/redis-sessions'] });
      const REDIS_URL = `redis://me:open-sesame@127.0.0.1:${redis.port}`;
      return sandbox.failedStart({ ...options, environment: { REDIS_URL } });
    },
  },
  JIG_REDIS_NOT_READY: {
    names: /Redis at redis:\/\/127\.0\.0\.1:\d+\/0 is away/,
    advises: /made anew as soon as it is back/,
    async run(sandbox) {
      const { redis, service } = await asking(sandbox);
      await redis.stop();
      await service.printed(/is away/);
      return sandbox.postponedRequest(service, '/ask', 'JIG_REDIS_NOT_READY');
    },
  },
  JIG_REDIS_TIMEOUT: {
    names: /Redis did not answer within 300 ms/,
    advises: /redis\.commandTimeout allows more/,
    async run(sandbox) {
      const { redis, service } = await asking(sandbox);
      redis.signal('SIGSTOP');
      return sandbox.postponedRequest(service, '/ask', 'JIG_REDIS_TIMEOUT');
    },
  },
  JIG_REDIS_NOT_REPLICATED: {
    names: /0 of 1 replicas had a write within \d+ ms/,
    advises: /redis\.waitForReplicas says how many must/,
    async run(sandbox) {
      const { service } = await asking(sandbox);
      return sandbox.postponedRequest(service, '/write', 'JIG_REDIS_NOT_REPLICATED');
    },
  },
};
