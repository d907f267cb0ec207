import { SessionManager } from '@jig/sessions';
import { expect } from 'vitest';
import { RedisServer } from '../../../packages/redis-sessions/test-fixtures/redis-server.ts';
import type { SessionErrorCode } from '../../../packages/sessions/src/errors.ts';
import { withoutDatabase as environment } from '../../support/start-service.ts';
import { clumsyService } from './clumsy-service.ts';
import type { ErrorScenario } from './error-scenario.ts';

export const sessionErrorScenarios: Record<SessionErrorCode, ErrorScenario> = {
  JIG_SESSION_OPTION_INVALID: {
    names: /option secret of the sessions/,
    advises: /at least 32 characters/,
    run: (sandbox) =>
      sandbox.failedFeature(({ log }) => {
        new SessionManager({ secret: 'short', store: {} as never, storeName: 'none', log });
      }),
  },
  JIG_SESSION_STORE_UNAVAILABLE: {
    names: /session store does not answer.*Redis at redis:\/\/127\.0\.0\.1:\d+\/0 cannot be reached/,
    advises: /until it does/,
    async run(sandbox) {
      const redis = await RedisServer.start();
      sandbox.finally(() => redis.stop());
      const service = await sandbox.startInProcess({ environment: { ...environment, REDIS_URL: redis.url } });
      await redis.stop();
      await service.printed(/cannot be reached/);
      for (const _ of [1, 2, 3]) {
        const answer = await fetch(`${service.url}/clock/time`, { method: 'POST', body: new URLSearchParams('a=b') });
        const { status, detail } = (await answer.json()) as { status: number; detail: string };
        expect({ status, detail }).toEqual({ status: 503, detail: expect.stringContaining('try again') });
      }
      return sandbox.logged(service, 'JIG_SESSION_STORE_UNAVAILABLE');
    },
  },
  JIG_SESSION_TOO_BIG: {
    names: /A session holds at most 64 KiB/,
    async run(sandbox) {
      const service = await clumsyService(sandbox);
      const answer = await fetch(`${service.url}/session`);
      expect(answer.status).toBe(413);
      return sandbox.logged(service, 'JIG_SESSION_TOO_BIG');
    },
  },
};
