import { Problem } from '@jig/application';
import type { FastifyInstance } from 'fastify';
import { formEntries } from '../selection/form-entries.ts';
import { readBody } from './read-body.ts';

const formType = 'application/x-www-form-urlencoded';

const noForm = () =>
  new Problem(415, { detail: `A form is sent as ${formType}.`, headers: { 'accept-post': formType } });

/** Takes forms as they are and nothing else. */
export function takeForms(server: FastifyInstance): void {
  const { bodyLimit: largestForm = 16 * 1024 } = server.initialConfig;
  server.addContentTypeParser(formType, ({ headers }, payload, done) => {
    const { 'content-encoding': encoding = 'identity', 'content-length': announced } = headers;
    if (Number(announced) > largestForm) return done(new Problem(413));
    readBody(payload, largestForm, (error, body) => {
      if (body === undefined) done(error);
      else if (encoding.toLowerCase() === 'identity') done(null, formEntries(body.toString()));
      else done(new Problem(415, { detail: 'A form must be sent as it is, without a Content-Encoding.' }));
    });
  });
  server.addContentTypeParser('*', ({ headers }, payload, done) => {
    if (Number(headers['content-length']) > 0) return done(noForm());
    // What holds nothing is no form of another type either.
    readBody(payload, 0, (error) => done(error && noForm(), undefined));
  });
}
