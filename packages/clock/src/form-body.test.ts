import { PassThrough, Readable, Transform } from 'node:stream';
import { Problem } from '@jig/application';
import Fastify, { type FastifyError, type preParsingHookHandler } from 'fastify';
import { describe, expect, it } from 'vitest';
import { addFormParser, formEntries } from './form-body.ts';

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

describe('the parser of forms', () => {
  it.each([
    [{ 'content-type': form }, 'a=1&b=ä', '200 {"a":"1","b":"ä"}'],
    [{ 'content-type': `${form}; charset=UTF-8` }, 'a=1', '200 {"a":"1"}'],
    [{ 'content-type': form, 'content-encoding': 'identity' }, 'a=1', '200 {"a":"1"}'],
    [{ 'content-type': form, 'content-encoding': 'gzip' }, 'a=1', '415 A form must be sent without a Content-Encoding'],
    [{ 'content-type': 'application/json' }, '{}', '415 A form must be sent as application/x-www-form-urlencoded'],
    [{ 'content-type': 'application/json' }, '', '200 {}'],
  ])('given headers %j and the body %j answers %s', async (headers, payload, expected) => {
    expect(await post(headers, payload)).toContain(expected);
  });

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

describe('formEntries', () => {
  it('keeps the first value of every name, and changes no prototype', () => {
    const entries = formEntries('?a=1&a=1&a=2&__proto__=x&constructor=y&%C3%A4=%F0%9F%95%B0&+=&b');
    expect([...entries]).toEqual([
      ['?a', '1'],
      ['a', '1'],
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['ä', '🕰'],
      [' ', ''],
      ['b', ''],
    ]);
  });
});
