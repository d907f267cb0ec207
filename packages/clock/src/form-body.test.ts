import { PassThrough, Readable, Transform } from 'node:stream';
import { Problem } from '@jig/application';
import Fastify, { type FastifyError, type preParsingHookHandler } from 'fastify';
import { describe, expect, it } from 'vitest';
import { addFormParser } from './form-body.ts';

const form = 'application/x-www-form-urlencoded';

/** The status, and the stored fields or the message. */
async function post(headers: Record<string, string>, payload: string, hook?: preParsingHookHandler) {
  const server = Fastify();
  server.setErrorHandler((error: FastifyError, _request, reply) =>
    reply.code(error instanceof Problem ? error.status : (error.statusCode ?? 500)).send(error.message),
  );
  addFormParser(server);
  if (hook) server.addHook('preParsing', hook);
  server.post('/', ({ body }) => (body ? Object.fromEntries(body as Map<string, string>) : {}));
  const { statusCode, body } = await server.inject({ method: 'POST', url: '/', headers, payload });
  return `${statusCode} ${body}`;
}

// What it accepts and how it decodes is tested in test/http/clock-selection.
describe('the parser of forms', () => {
  const hooks: Record<string, preParsingHookHandler> = {
    'puts a stream in between': (_request, _reply, payload, done) => done(null, payload.pipe(new PassThrough())),
    'replaces it by texts': (_request, _reply, _payload, done) => done(null, Readable.from(['a=1&', 'b=2'])),
  };
  it.each(Object.entries(hooks))('parses a body for which a hook %s', async (_what, hook) => {
    expect(await post({ 'content-type': form, 'content-length': '7' }, 'a=1&b=2', hook)).toBe('200 {"a":"1","b":"2"}');
  });

  it('rejects with the error of a stream that a hook returns', async () => {
    const refuse = () =>
      new Transform({ transform: (_p, _e, done) => done(new Problem(403, { detail: 'Not signed.' })) });
    const answer = await post({ 'content-type': form }, 'a=1', (_request, _reply, payload, done) =>
      done(null, payload.pipe(refuse())),
    );
    expect(answer).toBe('403 Not signed.');
  });
});
