import { CodedError, errorMessage } from '@jig/http/coded-error';

export { errorMessage };

/** The catalogue of Redis errors, from which `docs/errors.md` is generated. */
export const redisErrors = {
  JIG_REDIS_ADDRESS_INVALID: {
    when: '`REDIS_URL` is no address of a Redis or Valkey server.',
    fix: 'Write `redis://user:password@host:6379/0`, or [another form](redis.md).',
  },
  JIG_REDIS_UNREACHABLE: {
    when: 'Redis did not answer at the start.',
    fix: 'Check that it runs, the address, user and password.',
  },
  JIG_REDIS_NOT_READY: {
    when: 'Redis cannot be reached now.',
    fix: 'It reconnects by itself.',
  },
  JIG_REDIS_TIMEOUT: {
    when: 'Redis did not answer a command in time.',
    fix: 'See what keeps it busy, or raise `redis.commandTimeout`.',
  },
  JIG_REDIS_NOT_REPLICATED: {
    when: 'Fewer replicas than `redis.waitForReplicas` had a write in time.',
    fix: 'See that replicas run and keep up.',
  },
} as const;

export type RedisErrorCode = keyof typeof redisErrors;

/** An error of Redis, with a code of the catalogue above. */
export class RedisError extends CodedError<RedisErrorCode> {
  override readonly name = 'RedisError';
}

export const notReady = (sentence: string): RedisError =>
  new RedisError('JIG_REDIS_NOT_READY', sentence, { isTemporary: true });

/** Whether another node may have become the primary without the client noticing. */
export function isStale(error: unknown): boolean {
  if (error instanceof RedisError) return error.code === 'JIG_REDIS_NOT_READY';
  return /^(?:CLUSTERDOWN|READONLY|MOVED|ASK|MASTERDOWN|LOADING) |disconnected|closed|offline/i.test(
    errorMessage(error),
  );
}
