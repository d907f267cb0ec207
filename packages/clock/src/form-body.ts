import type { Readable } from 'node:stream';
import { Problem } from '@jig/application';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const formType = 'application/x-www-form-urlencoded';

/** Accepts only form bodies, and empty ones of any type. */
export function addFormParser(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<string>(formType, { parseAs: 'string' }, ({ headers }, body, done) => {
    const { 'content-encoding': encoding = 'identity' } = headers;
    if (encoding.toLowerCase() === 'identity') done(null, formEntries(body));
    else done(new Problem(415, { detail: 'A form must be sent without a Content-Encoding.' }));
  });
  server.addContentTypeParser('*', async ({ headers }: FastifyRequest, payload: Readable) => {
    if (Number(headers['content-length']) > 0 || !(await isEmpty(payload))) throw notAForm();
  });
}

const notAForm = () =>
  new Problem(415, { detail: `A form must be sent as ${formType}.`, headers: { 'accept-post': formType } });

/** Resolves at the first byte, or at the end. */
const isEmpty = (payload: Readable): Promise<boolean> =>
  new Promise((resolve) => {
    payload
      .once('data', () => resolve(false))
      .once('end', () => resolve(true))
      .once('error', () => resolve(false));
  });

/** The entries of a form, with the first value of a repeated name. A Map, so that names cannot change a prototype. */
export function formEntries(body: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  // URLSearchParams drops a leading question mark, which belongs to the first name.
  const form = body.startsWith('?') ? `&${body}` : body;
  new URLSearchParams(form).forEach((value, name) => {
    if (!entries.has(name)) entries.set(name, value);
  });
  return entries;
}
