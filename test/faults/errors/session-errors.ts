import { expect } from 'vitest';
import { RedisServer } from '../../../packages/redis-sessions/test-fixtures/redis-server.ts';
import type { SessionErrorCode } from '../../../packages/sessions/src/errors.ts';
import { withoutDatabase as environment } from '../../support/start-service.ts';
import type { ErrorScenario } from './error-scenario.ts';

/** A route that stores so many characters in the session, and logs what comes of it. */
const storing = `host.routes(async (server) => {
  server.get('/store/:size', async (request) => {
    try {
      await request.session.set('a', 'b'.repeat(Number(request.params.size)));
    } catch (err) {
      request.log.warn({ err }, 'could not be stored');
      throw err;
    }
  });
});`;

/** A feature that gives the sessions a secret that anybody could guess. */
const guessable = `const { SessionManager } = await import('@jig/sessions');
new SessionManager({ secret: 'short', store: {}, storeName: 'none', log: host.log });`;

export const sessionErrorScenarios: Record<SessionErrorCode, ErrorScenario> = {
  JIG_SESSION_OPTION_INVALID: {
    names: /option secret of the sessions/,
    advises: /at least 32 characters/,
    run: async (sandbox) => sandbox.failedStart(await sandbox.feature(guessable, ['@jig/sessions'])),
  },
  JIG_SESSION_STORE_UNAVAILABLE: {
    names: /session store does not answer.*Redis at redis:\/\/127\.0\.0\.1:\d+\/0 is away/,
    advises: /until it does/,
    async run(sandbox) {
      const redis = await RedisServer.start();
      sandbox.finally(() => redis.stop());
      const service = await sandbox.start({ environment: { ...environment, REDIS_URL: redis.url } });
      await redis.stop();
      await service.printed(/is away/);
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
      const service = await sandbox.start(await sandbox.feature(storing));
      const answer = await fetch(`${service.url}/store/70000`);
      expect(answer.status).toBe(413);
      return sandbox.logged(service, 'JIG_SESSION_TOO_BIG');
    },
  },
};
