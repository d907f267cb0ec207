import type { Feature } from '@jig/application';
import { startForTest, type TestApplication } from '@jig/application/testing';
import redisSessions from '../../packages/redis-sessions/src/add-on.ts';

interface RedisOptions {
  readonly url: string;
  /** Forms are answered when so many replicas have what they store. */
  readonly waitForReplicas?: number;
}

interface SessionOptions {
  readonly secret?: string;
  readonly previousSecrets?: readonly string[];
}

/** Starts an instance in this process that keeps sessions in Redis. */
export function startOnRedis(
  feature: Feature,
  redis: RedisOptions,
  sessions: SessionOptions = {},
): Promise<TestApplication> {
  return startForTest({
    features: [feature],
    addOns: [redisSessions],
    settings: { redis: { ...redis }, sessions: { store: 'redis', ...sessions } },
    listen: true,
  });
}
