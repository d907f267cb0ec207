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

/** Starts an instance in this process that keeps sessions in Redis; its forms are answered when so many replicas have what they store. */
export function startOnRedis(feature: Feature, url: string, waitForReplicas: number): Promise<TestApplication> {
  return startForTest({
    features: [feature],
    addOns: [redisSessions],
    settings: { redis: { url, waitForReplicas }, sessions: { store: 'redis' } },
    listen: true,
  });
}
