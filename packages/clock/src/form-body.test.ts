import { type AddressInfo, connect } from 'node:net';
import { PassThrough, Readable, Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@jig/application';
import Fastify, { type FastifyError, type FastifyInstance, type preParsingHookHandler } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addFormParser, formEntries } from './form-body.ts';

let server: FastifyInstance;

beforeEach(() => {
  server = Fastify({ forceCloseConnections: true, bodyLimit: 16 * 1024 });
  server.removeAllContentTypeParsers();
  server.setErrorHandler((error: FastifyError, _request, reply) =>
    reply.code(error instanceof Problem ? error.status : (error.statusCode ?? 500)).send(error.message),
  );
  addFormParser(server);
  server.post('/', ({ body }) => Object.fromEntries(body as Map<string, string>));
});

afterEach(() => server.close());

const form = 'languageTag=de&zoneID=UTC';
const head = `POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/x-www-form-urlencoded\r\n`;
const announced = `${head}content-length: ${form.length}\r\n\r\n`;

const chunkedHead = `${head}transfer-encoding: chunked\r\n\r\n`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const chunks = [chunk(form.slice(0, 16)), chunk(form.slice(16)), chunk('')];

/** How a body may come: with its head or after it, in one piece or in several. */
const ways: readonly (readonly [string, readonly [string, ...string[]]])[] = [
  ['at once', [announced + form]],
  ['in pieces', [announced, form.slice(0, 16), form.slice(16)]],
  ['byte by byte', [announced, ...form.split('')]],
  ['in chunks at once', [chunkedHead + chunks.join('')]],
  ['in chunks one by one', [chunkedHead, ...chunks]],
];

/** Sends the pieces and returns the responses as status and body, once `count` of them came. */
async function answers(pieces: readonly string[], count = 1): Promise<string[]> {
  await server.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  const come = () => text.split('HTTP/1.1 ').slice(1).filter(isWhole);
  for (const piece of pieces) {
    socket.write(piece);
    await sleep(5);
  }
  await expect.poll(() => come().length, { timeout: 5000 }).toBe(count);
  socket.destroy();
  return come().map((answer) => `${answer.slice(0, 3)} ${answer.split('\r\n\r\n')[1]}`);
}

function isWhole(answer: string): boolean {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return body.length === Number(/content-length: (\d+)/.exec(head)?.[1]);
}

const stored = ['200 {"languageTag":"de","zoneID":"UTC"}'];

describe('the largest form', () => {
  it.each([
    [1024, 1025, 'too large'],
    [1024, 1024, 'taken'],
    [1_048_576, 200_000, 'taken'],
  ])('is the bodyLimit of the server: with %i, %i bytes are %s', async (bodyLimit, length, outcome) => {
    const limited = Fastify({ bodyLimit });
    limited.setErrorHandler((error: FastifyError, _request, reply) =>
      reply.send(error.statusCode === 413 ? 'too large' : 'another error'),
    );
    addFormParser(limited);
    limited.post('/', () => 'taken');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { body } = await limited.inject({ method: 'POST', url: '/', headers, payload: 'x'.repeat(length) });
    expect(body).toBe(outcome);
    await limited.close();
  });
});

describe('a form over the limit', () => {
  const large = 'x'.repeat(9000);
  it.each([
    ['by its content length, before it comes', [`${head}content-length: 16385\r\n\r\n`]],
    ['in a chunk', [chunkedHead + chunk(large + large)]],
    ['in many small chunks at once', [chunkedHead + chunk('x').repeat(16_385)]],
    ['in chunks one by one', [chunkedHead, chunk(large), chunk(large)]],
  ])('is refused: %s', async (_how, pieces) => {
    expect(await answers(pieces)).toEqual([expect.stringMatching(/^413 /)]);
  });
});

describe.each(ways)('a form that comes %s', (_way, pieces) => {
  it('is parsed', async () => {
    expect(await answers(pieces)).toEqual(stored);
  });

  it('is parsed after asynchronous hooks', async () => {
    server.addHook('onRequest', () => sleep(50));
    server.addHook('preParsing', async () => {
      await sleep(50);
    });
    expect(await answers(pieces)).toEqual(stored);
  });

  const hooks: Record<string, preParsingHookHandler> = {
    'listens to it as well': (_request, _reply, payload, done) => {
      payload.on('data', () => {});
      done(null, payload);
    },
    'has it decoded': (_request, _reply, payload, done) => {
      payload.setEncoding('utf8');
      done(null, payload);
    },
    'pauses it': (_request, _reply, payload, done) => {
      payload.pause();
      done(null, payload);
    },
    'puts a stream in between': (_request, _reply, payload, done) => done(null, payload.pipe(new PassThrough())),
    'replaces it by texts': (_request, _reply, _payload, done) =>
      done(null, Readable.from(['languageTag=de&', 'zoneID=UTC'])),
  };
  it.each(Object.entries(hooks))('is parsed completely when a hook %s', async (_what, hook) => {
    server.addHook('preParsing', hook);
    expect(await answers(pieces)).toEqual(stored);
  });

  it.each([
    ['a problem', new Problem(403, { detail: 'Not signed.' }), '403 Not signed.'],
    // Fastify gives every error of a body stream that has no status the status 400.
    ['an error', new TypeError('a mistake'), '400 a mistake'],
  ])('is answered with the error of a stream in between: %s', async (_what, error, expected) => {
    const failing = () => new Transform({ transform: (_piece, _encoding, done) => done(error) });
    server.addHook('preParsing', (_request, _reply, payload, done) => done(null, payload.pipe(failing())));
    expect(await answers(pieces)).toEqual([expected]);
  });
});

describe('forms one after the other on a connection', () => {
  it('are each parsed completely, across the boundaries of socket reads', async () => {
    const long = `a=${'x'.repeat(13_000)}&last=1`;
    const one = `${head}content-length: ${long.length}\r\n\r\n${long}`;
    const all = await answers([one.repeat(12)], 12);
    expect(new Set(all.map((answer) => answer.slice(-12)))).toEqual(new Set([',"last":"1"}']));
    expect(new Set(all.map(({ length }) => length)).size).toBe(1);
  });
});

describe('a form with a Content-Encoding', () => {
  it.each(ways)('is refused when it comes %s', async (_way, [first, ...rest]) => {
    const encoded = first.replace('\r\n\r\n', '\r\ncontent-encoding: gzip\r\n\r\n');
    expect(await answers([encoded, ...rest])).toEqual([expect.stringMatching(/^415 .*without a Content-Encoding/)]);
  });
});

describe('formEntries', () => {
  it('keeps a leading question mark as part of the name', () => {
    expect([...formEntries('?a=1&a=2')]).toEqual([
      ['?a', '1'],
      ['a', '2'],
    ]);
  });

  it('keeps every name with its first value, and touches no prototype', () => {
    const entries = formEntries('a=1&a=2&__proto__=x&constructor=y&%C3%A4=%F0%9F%95%B0&+=&b');
    expect([...entries]).toEqual([
      ['a', '1'],
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['ä', '🕰'],
      [' ', ''],
      ['b', ''],
    ]);
  });
});
