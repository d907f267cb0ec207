import { duration, integer, string } from '@jig/application';

/** The section `redis` of the configuration. */
export const redisSettings = {
  url: string({
    default: undefined,
    environment: 'REDIS_URL',
    secret: 'address',
    description:
      'The Redis or Valkey that keeps the sessions: `redis://user:password@host:6379/0`; docs/redis.md has other forms.',
  }),
  prefix: string({ default: 'jig:session:', description: 'The prefix of all keys.' }),
  connectTimeout: duration({ default: 1500, minimum: 10, description: 'How long to wait for a connection.' }),
  commandTimeout: duration({
    default: 1500,
    minimum: 10,
    description: 'How long to wait for the reply to a command.',
  }),
  waitForReplicas: integer({
    default: 0,
    minimum: 0,
    maximum: 100,
    description: 'How many replicas must have the data of a form.',
  }),
} as const;
