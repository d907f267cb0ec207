import type { FastifyPluginAsync } from 'fastify';
import { type PlainPageLink, plainPagePolicy, renderPlainPage } from './plain-page.ts';

export interface StartPageContent {
  readonly title: string;
  readonly description: string;
  readonly links: readonly PlainPageLink[];
}

const always: readonly PlainPageLink[] = [
  { title: 'Health', path: '/health', description: 'How each part of the application is.' },
  { title: 'Description', path: '/openapi.json', description: 'Every address and what it answers, as OpenAPI.' },
];

/** `GET /`: what this is, and what there is to open. */
export const startPage =
  (content: () => StartPageContent): FastifyPluginAsync =>
  async (server) => {
    server.get('/', async (_request, reply) => {
      const { title, description, links } = content();
      reply.headers({ 'content-security-policy': plainPagePolicy, 'cache-control': 'no-cache' });
      return reply.type('text/html; charset=utf-8').send(renderPlainPage(title, description, [...links, ...always]));
    });
  };
