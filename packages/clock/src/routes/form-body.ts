import { Problem } from '@jig/application';
import type { FastifyInstance } from 'fastify';
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

/** The entries of a form; of a repeated name the first one counts. A Map, so that no name can touch a prototype. */
export function formEntries(body: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  // It takes a question mark at the start for that of an address; in a form it belongs to the first name.
  const form = body.startsWith('?') ? `&${body}` : body;
  new URLSearchParams(form).forEach((value, name) => {
    if (!entries.has(name)) entries.set(name, value);
  });
  return entries;
}
