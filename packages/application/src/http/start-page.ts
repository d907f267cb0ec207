import { type PlainPageLink, plainPagePolicy, renderPlainPage } from '@jig/http';
import type { FastifyPluginAsync } from 'fastify';

interface StartPageContent {
  readonly title: string;
  readonly description: string;
  readonly links: readonly PlainPageLink[];
}

export const hostLinks: readonly PlainPageLink[] = [
  { title: 'Health', path: '/health', description: 'How each part of the application is.' },
  { title: 'Description', path: '/openapi.json', description: 'Every address and what it answers, as OpenAPI.' },
];

/** `GET /`: the description of the application, and its links. */
export const startPage =
  (content: () => StartPageContent): FastifyPluginAsync =>
  async (server) => {
    server.get('/', { schema: startPageSchema }, async (_request, reply) => {
      const { title, description, links } = content();
      reply.headers({ 'content-security-policy': plainPagePolicy(), 'cache-control': 'no-cache' });
      return reply.type('text/html; charset=utf-8').send(renderPlainPage(title, description, links));
    });
  };

const startPageSchema = {
  operationId: 'startPage',
  summary: 'What this is, and what there is to open.',
  responses: { 200: { description: 'A page.', content: { 'text/html': { schema: { type: 'string' } } } } },
};
