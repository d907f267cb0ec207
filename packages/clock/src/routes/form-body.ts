import { Problem } from '@jig/application';
import type { FastifyInstance } from 'fastify';
import { formEntries } from '../selection/form-entries.ts';

const largestForm = 16 * 1024;

const formType = 'application/x-www-form-urlencoded';

/** Takes forms as they are and nothing else: Fastify answers 413 to larger ones. */
export function takeForms(server: FastifyInstance): void {
  server.addContentTypeParser(formType, { parseAs: 'string', bodyLimit: largestForm }, ({ headers }, body, done) => {
    const { 'content-encoding': encoding = 'identity' } = headers;
    if (encoding.toLowerCase() === 'identity') done(null, formEntries(String(body)));
    else done(new Problem(415, { detail: 'A form must be sent as it is, without a Content-Encoding.' }));
  });
  server.addContentTypeParser('*', (_request, _body, done) =>
    done(new Problem(415, { detail: `A form is sent as ${formType}.`, headers: { 'accept-post': formType } })),
  );
}
