import type { FastifyInstance } from 'fastify';
import { formEntries } from '../selection/form-entries.ts';

const largestForm = 16 * 1024;

/** Takes forms and nothing else: Fastify answers 415 to other content types and 413 to larger forms. */
export function takeForms(server: FastifyInstance): void {
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: largestForm },
    (_request, body, done) => done(null, formEntries(String(body))),
  );
}
