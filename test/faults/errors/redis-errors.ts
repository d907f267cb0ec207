import type { redisErrors } from '../../../packages/redis-sessions/src/errors.ts';
import { RedisServer } from '../../../packages/redis-sessions/test-fixtures/redis-server.ts';
import type { RunningService } from '../../support/start-service.ts';
import type { Provocation, Stage } from './stage.ts';

/** An application that asks Redis something, with a Redis of its own. */
async function asking(stage: Stage): Promise<{ redis: RedisServer; service: RunningService }> {
  const redis = await RedisServer.start();
  stage.finally(() => redis.stop());
  const ask = `(await host.beans.get('redis')).send(['PING'])`;
  const register = `host.routes(async (server) => { server.get('/ask', async () => ${ask}); });`;
  const options = await stage.feature(register, ['@jig/redis-sessions']);
  const environment = { REDIS_URL: redis.url, JIG_LOG_LEVEL: 'debug' };
  return { redis, service: await stage.start({ ...options, environment, flags: ['--redis.commandTimeout=300ms'] }) };
}

export const redisProvocations: Record<keyof typeof redisErrors, Provocation> = {
  JIG_REDIS_ADDRESS_INVALID: {
    names: /address in REDIS_URL cannot be used/,
    advises: /must begin with redis:\/\//,
    provoke: (stage) => stage.failedStart({ environment: { REDIS_URL: 'http://me:open-sesame@localhost' } }),
  },
  JIG_REDIS_UNREACHABLE: {
    names: /Redis at redis:\/\/127\.0\.0\.1:\d+\/0 cannot be used: .*ECONNREFUSED/,
    advises: /Check that it runs/,
    async provoke(stage) {
      const redis = await RedisServer.start();
      await redis.stop();
      const options = await stage.application({ dependencies: ['@jig/redis-sessions'] });
      const REDIS_URL = `redis://me:open-sesame@127.0.0.1:${redis.port}`;
      return stage.failedStart({ ...options, environment: { REDIS_URL } });
    },
  },
  JIG_REDIS_NOT_READY: {
    names: /Redis at redis:\/\/127\.0\.0\.1:\d+\/0 is away/,
    advises: /made anew as soon as it is back/,
    async provoke(stage) {
      const { redis, service } = await asking(stage);
      await redis.stop();
      await service.printed(/is away/);
      return stage.postponedRequest(service, '/ask', 'JIG_REDIS_NOT_READY');
    },
  },
  JIG_REDIS_TIMEOUT: {
    names: /Redis did not answer within 300 ms/,
    advises: /redis\.commandTimeout allows more/,
    async provoke(stage) {
      const { redis, service } = await asking(stage);
      redis.signal('SIGSTOP');
      return stage.postponedRequest(service, '/ask', 'JIG_REDIS_TIMEOUT');
    },
  },
};
