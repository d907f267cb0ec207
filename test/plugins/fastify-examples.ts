import { PassThrough, Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { PluginRequest } from './plugin-cases.ts';

/** An application from the documentation of Fastify, and what is asked of it. */
export interface Example {
  readonly name: string;
  readonly use: (server: FastifyInstance, options: object, done: (error?: Error) => void) => void | Promise<void>;
  readonly requests: readonly PluginRequest[];
  /** Why an answer differs on purpose, by its request. */
  readonly differs?: Readonly<Record<string, string>>;
}

const post = (body: string, type = 'application/json'): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'content-type': type },
});

class CustomError extends Error {
  readonly statusCode = 422;
  readonly code = 'CUSTOM';
}

export const examples: readonly Example[] = [
  {
    name: 'Routes: declarations, parameters, wildcards, prefixes, constraints',
    use(server, _options, done) {
      server.route({ method: ['GET', 'PUT'], url: '/declared', handler: async ({ method }) => ({ method }) });
      server.get('/short', (_request, reply) => void reply.send({ hello: 'world' }));
      server.get('/users/:id/files/*', async ({ params, query }) => ({ params, query }));
      server.get('/at/:hour(^\\d{2})h:minute(^\\d{2})m', async ({ params }) => params);
      server.get('/optional/:name?', async ({ params }) => params);
      server.register(
        (scope, _, registered) => {
          scope.get('/', async () => 'root of v1');
          scope.get('/user', async () => 'user of v1');
          registered();
        },
        { prefix: '/v1' },
      );
      server.get('/versioned', { constraints: { version: '1.2.0' } }, async () => 'one');
      server.get('/versioned', { constraints: { version: '2.0.0' } }, async () => 'two');
      server.get('/double%20encoded', async () => 'never');
      server.post('/echo', async ({ body }) => ({ body }));
      server.get('/self', async ({ hostname, protocol, ip, originalUrl, is404, routeOptions }) => ({
        hostname,
        protocol,
        ip,
        originalUrl,
        is404,
        url: routeOptions.url,
        method: routeOptions.method,
      }));
      done();
    },
    requests: [
      ['/declared'],
      ['/declared', { method: 'PUT' }],
      ['/declared', { method: 'HEAD' }],
      ['/declared', { method: 'DELETE' }],
      ['/short'],
      ['/users/7/files/a/b.txt?x=1&x=2'],
      ['/at/08h15m'],
      ['/optional'],
      ['/optional/a%2Fb'],
      ['/v1'],
      ['/v1/user'],
      ['/v1/'],
      ['/versioned', { headers: { 'accept-version': '1.x' } }],
      ['/versioned', { headers: { 'accept-version': '2.x' } }],
      ['/versioned'],
      ['/echo', post('{"a":1}')],
      ['/self?q=1'],
      ['/nothing'],
      ['/%zz'],
    ],
    differs: {
      'DELETE /declared': 'a known address with another method is 405',
      'GET /%zz': 'the address is not repeated',
    },
  },
  {
    name: 'Bodies: what cannot be parsed',
    use(server, _options, done) {
      server.post('/json', async ({ body }) => ({ body: body ?? 'none' }));
      server.post('/small', { bodyLimit: 10 }, async ({ body }) => ({ body }));
      done();
    },
    requests: [
      ['/json', post('{')],
      ['/json', post('')],
      ['/json', post('{"__proto__":{"a":1}}')],
      ['/json', post('{"constructor":{"prototype":{}}}')],
      ['/json', post('hello', 'text/plain')],
      ['/json', post('a', 'application/unknown')],
      ['/json', post('a', 'rubbish')],
      ['/json', { method: 'POST' }],
      ['/small', post('{"a":"0123456789"}')],
      ['/nothing', post('{')],
    ],
    differs: { 'POST /nothing': 'an unknown address is 404 even if the body cannot be read' },
  },
  {
    name: 'Content-type parsers: own, for a pattern, for all',
    use(server, _options, done) {
      server.addContentTypeParser('application/jsoff', { parseAs: 'string' }, (_request, body, parsed) =>
        parsed(null, `off ${String(body)}`),
      );
      server.addContentTypeParser(/^image\/.*/, async (_request: unknown, payload: Readable) => {
        let length = 0;
        for await (const chunk of payload) length += chunk.length;
        return length;
      });
      server.addContentTypeParser('application/fails', async () => {
        throw new Error('the inside');
      });
      server.post('/', async ({ body }) => ({ body }));
      server.register(async (scope) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null, 'anything'));
        scope.post('/any', async ({ body }) => ({ body }));
      });
      done();
    },
    requests: [
      ['/', post('x', 'application/jsoff')],
      ['/', post('four', 'image/png')],
      ['/', post('x', 'application/fails')],
      ['/any', post('{', 'application/json')],
      ['/any', post('x', 'a/b')],
    ],
  },
  {
    name: 'Hooks: each kind, and an answer from a hook',
    use(server, _options, done) {
      const seen: string[] = [];
      const saw = (name: string) => async () => void seen.push(name);
      server.addHook('onRequest', saw('onRequest'));
      server.addHook('preParsing', (_request, _reply, payload, next) => {
        seen.push('preParsing');
        next(null, payload.pipe(new PassThrough()));
      });
      server.addHook('preValidation', saw('preValidation'));
      server.addHook('preHandler', (_request, _reply, next) => {
        seen.push('preHandler');
        next();
      });
      server.addHook('preSerialization', async (_request, _reply, payload) => ({ wrapped: payload }));
      server.addHook('onSend', async (_request, reply, payload) => {
        reply.header('x-seen', seen.splice(0).join());
        return typeof payload === 'string' ? payload.replace('wrapped', 'changed') : payload;
      });
      server.addHook('onError', async (_request, reply) => void reply.header('x-error', 'seen'));
      server.post('/all', async ({ body }) => body);
      server.get(
        '/early',
        { onRequest: async (_request, reply) => reply.code(401).send({ why: 'early' }) },
        async () => 'never',
      );
      server.get('/fails', async () => {
        throw Object.assign(new Error('Sold out.'), { statusCode: 409 });
      });
      server.get(
        '/hook-fails',
        { preHandler: async () => Promise.reject(new CustomError('Not like that.')) },
        async () => 'never',
      );
      server.get(
        '/hook-calls-back',
        { preHandler: (_request, _reply, next) => next(new Error('the inside')) },
        async () => 'never',
      );
      done();
    },
    requests: [['/all', post('{"a":1}')], ['/early'], ['/fails'], ['/hook-fails'], ['/hook-calls-back']],
  },
  {
    name: 'Hooks: a stream of preParsing that fails',
    use(server, _options, done) {
      const failing = (error: Error) => new Transform({ transform: (_chunk, _encoding, next) => next(error) });
      const route = (path: string, error: () => Error) =>
        server.post(
          path,
          { preParsing: (_request, _reply, payload, next) => next(null, payload.pipe(failing(error()))) },
          async ({ body }) => body,
        );
      route('/plain', () => new Error('not signed'));
      route('/status', () => new CustomError('Not signed.'));
      done();
    },
    requests: [
      ['/plain', post('{"a":1}')],
      ['/status', post('{"a":1}')],
    ],
  },
  {
    name: 'Decorators: of the server, the request and the reply',
    async use(server) {
      server.decorate('conf', { db: 'some.db' });
      server.decorateRequest('user', '');
      server.decorateRequest('shout', { getter: () => 'hey' });
      server.decorateReply('greet', function (this: { send(value: unknown): unknown }) {
        return this.send({ hello: 'decorated' });
      });
      server.addHook('preHandler', async (request) => void Reflect.set(request, 'user', 'Bob'));
      server.get('/', async (request) => [
        Reflect.get(request, 'user'),
        Reflect.get(request, 'shout'),
        Reflect.get(server, 'conf'),
      ]);
      server.get('/greet', (_request, reply) => Reflect.get(reply, 'greet').call(reply));
      await server.register(fastifyPlugin(async (shared) => void shared.decorate('util', () => 'shared')));
      server.get('/util', async () => (Reflect.get(server, 'util') as () => string)());
    },
    requests: [['/'], ['/greet'], ['/util']],
  },
  {
    name: 'Encapsulation: what belongs to one plugin only',
    use(server, _options, done) {
      server.decorateRequest('answer', 42);
      server.register(async (authenticated) => {
        authenticated.addHook('onRequest', async (request, reply) => {
          if (request.headers.authorization === undefined) return reply.code(401).send({ error: 'who?' });
        });
        authenticated.register(async (child) => {
          child.decorateRequest('inner', 'yes');
          child.get('/inner', async (request) => ({
            inner: Reflect.get(request, 'inner'),
            answer: Reflect.get(request, 'answer'),
          }));
        });
        authenticated.get('/closed', async (request) => ({ inner: Reflect.get(request, 'inner') ?? null }));
      });
      server.get('/open', async (request) => ({ inner: Reflect.get(request, 'inner') ?? null }));
      done();
    },
    requests: [
      ['/open'],
      ['/closed'],
      ['/inner', { headers: { authorization: 'me' } }],
      ['/closed', { headers: { authorization: 'me' } }],
    ],
  },
  {
    name: 'Errors: thrown, rejected, sent, with and without a status',
    use(server, _options, done) {
      server.get('/throw', () => {
        throw new Error('the inside');
      });
      server.get('/reject', async () => Promise.reject(new CustomError('Not like that.')));
      server.get('/send', (_request, reply) => void reply.send(new CustomError('Not like that.')));
      server.get('/code', async (_request, reply) => {
        reply.code(404);
        throw new Error('There is no such order.');
      });
      server.get('/headers', async () => {
        throw Object.assign(new Error('Later.'), { status: 429, headers: { 'retry-after': '30' } });
      });
      server.get('/object', async () => {
        throw { statusCode: 409, message: 'Sold out.' };
      });
      server.get('/out-of-range', async () => {
        throw Object.assign(new Error('the inside'), { statusCode: 200 });
      });
      server.get('/call-not-found', (_request, reply) => reply.callNotFound());
      server.get('/serializes', async () => ({ amount: 1n }));
      server.get('/wrong-payload', (_request, reply) => void reply.type('text/plain').send({ a: 1 }));
      done();
    },
    requests: [
      ['/throw'],
      ['/reject'],
      ['/send'],
      ['/code'],
      ['/headers'],
      ['/object'],
      ['/out-of-range'],
      ['/call-not-found'],
      ['/serializes'],
      ['/wrong-payload'],
    ],
  },
  {
    name: 'Errors: handlers of one plugin, and their parents',
    use(server, _options, done) {
      server.setErrorHandler((error: Error, _request, reply) => reply.code(500).send({ parent: error.message }));
      server.register(async (scope) => {
        scope.setErrorHandler(async (error: Error, _request, reply) => {
          if (error instanceof CustomError) return reply.code(200).send({ child: error.message });
          throw error;
        });
        scope.get('/child', async () => Promise.reject(new CustomError('mine')));
        scope.get('/parent', async () => Promise.reject(new Error('yours')));
      });
      server.register(
        async (scope) => {
          scope.setNotFoundHandler(
            { preHandler: async (_request: FastifyRequest, reply: FastifyReply) => void reply.header('x-pre', 'yes') },
            (_request, reply) => reply.code(404).send({ where: 'v2' }),
          );
          scope.get('/here', async () => 'here');
        },
        { prefix: '/v2' },
      );
      done();
    },
    requests: [['/child'], ['/parent'], ['/v2/here'], ['/v2/nothing'], ['/nothing']],
  },
  {
    name: 'Replies: kinds of payloads',
    use(server, _options, done) {
      server.get('/text', async () => 'text');
      server.get('/html', (_request, reply) => reply.type('text/html').send('<p>html</p>'));
      server.get('/buffer', async () => Buffer.from('buffer'));
      server.get('/array', async () => new Uint8Array([65, 66]));
      server.get('/stream', async () => Readable.from(['one ', 'two']));
      server.get('/web-stream', async () => new Response('web').body);
      server.get(
        '/response',
        async () =>
          new Response('{"a":1}', { status: 201, headers: { 'content-type': 'application/json', 'x-a': 'b' } }),
      );
      server.get('/null', async () => null);
      server.get('/number', async () => 7);
      server.get('/empty', (_request, reply) => reply.code(204).send());
      server.get('/redirect', (_request, reply) => reply.redirect('/text', 303));
      server.get('/own', (_request, reply) =>
        reply.serializer((value: unknown) => `own ${String(value)}`).send(1 as never),
      );
      server.get('/headers', (_request, reply) =>
        reply
          .headers({ 'x-a': '1', 'set-cookie': ['a=1', 'b=2'] })
          .code(202)
          .send({ a: 1 }),
      );
      server.get('/hijack', (_request, reply) => {
        reply.hijack();
        reply.raw.end('raw');
      });
      server.get('/trailer', (_request, reply) => {
        reply.trailer('etag', async () => 'abc');
        return reply.send('with a trailer');
      });
      server.get('/broken-stream', async () => Readable.from(failingChunks()));
      server.get('/early-hints', (_request, reply) => void reply.code(200).send('hints'));
      done();
    },
    requests: [
      ['/text'],
      ['/html'],
      ['/buffer'],
      ['/array'],
      ['/stream'],
      ['/web-stream'],
      ['/response'],
      ['/null'],
      ['/number'],
      ['/empty'],
      ['/redirect'],
      ['/own'],
      ['/headers'],
      ['/hijack'],
      ['/trailer'],
      ['/broken-stream'],
      ['/early-hints'],
      ['/text', { method: 'HEAD' }],
      ['/stream', { method: 'HEAD' }],
    ],
    differs: { 'GET /hijack': 'what a handler writes itself has no security headers' },
  },
  {
    name: 'Validation: attached, with a formatter, and a schema of the response',
    use(server, _options, done) {
      const schema = { querystring: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } };
      server.get('/attached', { schema, attachValidation: true }, async ({ validationError }) => ({
        said: validationError?.message,
      }));
      server.get(
        '/formatted',
        { schema, schemaErrorFormatter: (errors) => new Error(`${errors.length} mistake`) },
        async () => 'never',
      );
      server.get(
        '/response',
        { schema: { response: { 200: { type: 'object', properties: { a: { type: 'string' } } } } } },
        async () => ({ a: 1, b: 2 }),
      );
      server.get(
        '/required',
        { schema: { response: { 200: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } } } },
        async () => ({}),
      );
      done();
    },
    requests: [['/attached'], ['/formatted'], ['/response'], ['/required']],
  },
];

async function* failingChunks(): AsyncGenerator<string> {
  await Promise.resolve();
  yield* [];
  throw new Error('the inside');
}
