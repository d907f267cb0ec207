import { defineFeature, type Feature } from '@jig/application';
import { startForTest, type TestApplication } from '@jig/application/testing';
import redisSessions from '../../packages/redis-sessions/src/add-on.ts';

/** The least that shows sessions, for the visitors of ../faults/database-notes.ts. */
export const notesFeature = defineFeature({
  name: 'notes',
  register(host) {
    host.routes(async (server) => {
      server.addContentTypeParser('*', (_request, _payload, done) => done(null));
      server.post<{ Querystring: { name: string; value: string } }>('/notes', async ({ query, session }, reply) => {
        await session.set(query.name, query.value);
        return reply.redirect('/notes', 302);
      });
      server.get('/notes', async ({ session }) => Object.fromEntries(await session.entries()));
    });
  },
});

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
