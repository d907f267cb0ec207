import { JigError, type JigErrorOptions } from '@jig/application';

/** What can go wrong with Redis, and what to do about it. `docs/errors.md` is written from this. */
export const redisErrors = {
  JIG_REDIS_ADDRESS_INVALID: {
    when: '`REDIS_URL` is no address of a Redis or Valkey server.',
    fix: 'Write it as `redis://user:password@host:6379/0`, or `rediss://…` for TLS.',
  },
  JIG_REDIS_UNREACHABLE: {
    when: 'Redis did not answer when the application started.',
    fix: 'Check that it runs, that this machine may reach it, and the user and password.',
  },
  JIG_REDIS_NOT_READY: {
    when: 'Redis is away at the moment.',
    fix: 'Nothing: the connection is made anew as soon as it is back.',
  },
  JIG_REDIS_TIMEOUT: {
    when: 'Redis did not answer a command in time.',
    fix: 'See what keeps it busy; the time is the setting `redis.commandTimeout`.',
  },
} as const;

/** An error of Redis, whose code must be in the catalogue above. */
export function redisError(code: keyof typeof redisErrors, sentence: string, options?: JigErrorOptions): JigError {
  return new JigError(code, sentence, options);
}
