import { Problem } from '@jig/application';
import type { FastifyInstance } from 'fastify';
import { formEntries } from '../selection/form-entries.ts';

const largestForm = 16 * 1024;

/** Takes forms as they are and nothing else: Fastify answers 415 to other content types and 413 to larger forms. */
export function takeForms(server: FastifyInstance): void {
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: largestForm },
    ({ headers }, body, done) => {
      const { 'content-encoding': encoding = 'identity' } = headers;
      if (encoding.toLowerCase() === 'identity') done(null, formEntries(String(body)));
      else done(new Problem(415, { detail: 'A form must be sent as it is, without a Content-Encoding.' }));
    },
  );
}
