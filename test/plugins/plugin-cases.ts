import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import accepts from '@fastify/accepts';
import auth from '@fastify/auth';
import autoload from '@fastify/autoload';
import basicAuth from '@fastify/basic-auth';
import bearerAuth from '@fastify/bearer-auth';
import caching from '@fastify/caching';
import circuitBreaker from '@fastify/circuit-breaker';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import csrf from '@fastify/csrf-protection';
import env from '@fastify/env';
import etag from '@fastify/etag';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import httpProxy from '@fastify/http-proxy';
import jwt from '@fastify/jwt';
import middie from '@fastify/middie';
import multipart from '@fastify/multipart';
import { FastifyOtelInstrumentation } from '@fastify/otel';
import rateLimit from '@fastify/rate-limit';
import replyFrom from '@fastify/reply-from';
import requestContext from '@fastify/request-context';
import sensible from '@fastify/sensible';
import fastifyStatic from '@fastify/static';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import underPressure from '@fastify/under-pressure';
import view from '@fastify/view';
import websocket from '@fastify/websocket';
import { initTRPC } from '@trpc/server';
import { fastifyTRPCPlugin } from '@trpc/server/adapters/fastify';
import type { FastifyInstance } from 'fastify';
import metrics from 'fastify-metrics';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import handlebars from 'handlebars';
import mercurius from 'mercurius';
import { Type } from 'typebox';
import { z } from 'zod';

/** A request as `fetch` sends it. */
export type PluginRequest = readonly [path: string, options?: RequestInit];

export interface PluginCase {
  /** The packages that the case shows. */
  readonly packages: readonly string[];
  /** Uses them, as it would on plain Fastify. @param upstream the address of another server */
  readonly use: (server: FastifyInstance, upstream: string) => void | Promise<void>;
  readonly requests: readonly PluginRequest[];
  /** Headers that differ each time. */
  readonly changing?: readonly string[];
  /** Text in bodies that differs each time. */
  readonly changingText?: RegExp;
  /** Why an answer differs on purpose, by the request that it belongs to; the test checks that it does. */
  readonly differs?: Readonly<Record<string, string>>;
}

const files = fileURLToPath(new URL('./files/', import.meta.url));
const json = (body: unknown, headers = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
});
const form = (body: string): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});
const basic = (user: string) => ({ headers: { authorization: `Basic ${Buffer.from(user).toString('base64')}` } });
const upload = (size: number): RequestInit => {
  const body = new FormData();
  body.set('name', 'Ada');
  body.set('file', new Blob(['x'.repeat(size)]), 'a.txt');
  return { method: 'POST', body };
};

const t = initTRPC.create();
const router = t.router({ greet: t.procedure.input(z.object({ name: z.string() })).query(({ input }) => input.name) });

export const pluginCases: readonly PluginCase[] = [
  {
    packages: ['@fastify/cors'],
    async use(server) {
      await server.register(cors, { origin: ['http://elsewhere.example'], credentials: true });
      server.get('/orders', async () => ({ orders: [] }));
    },
    requests: [
      ['/orders', { headers: { origin: 'http://elsewhere.example' } }],
      ['/orders', { headers: { origin: 'http://other.example' } }],
      [
        '/orders',
        { method: 'OPTIONS', headers: { origin: 'http://elsewhere.example', 'access-control-request-method': 'PUT' } },
      ],
      ['/orders', { method: 'DELETE' }],
      ['/nothing', { headers: { origin: 'http://elsewhere.example' } }],
    ],
    differs: { 'DELETE /orders': 'a known address with another method is 405 with `Allow`, not 404' },
  },
  {
    packages: ['@fastify/helmet'],
    async use(server) {
      await server.register(helmet);
      server.get('/page', (_request, reply) => reply.type('text/html').send('<p>Hello</p>'));
    },
    requests: [['/page']],
  },
  {
    packages: ['@fastify/rate-limit'],
    async use(server) {
      await server.register(rateLimit, { max: 2, timeWindow: '1 hour' });
      server.get('/', async () => 'hello');
    },
    requests: [['/'], ['/'], ['/']],
    changing: ['x-ratelimit-reset', 'retry-after'],
  },
  {
    packages: ['@fastify/multipart'],
    async use(server) {
      await server.register(multipart, { limits: { fileSize: 100_000 } });
      server.post('/upload', async (request) => {
        const data = await request.file();
        const content = await data?.toBuffer();
        return { name: data?.filename, bytes: content?.length };
      });
    },
    requests: [
      ['/upload', upload(50_000)],
      ['/upload', upload(200_000)],
      ['/upload', json({})],
    ],
  },
  {
    packages: ['@fastify/websocket'],
    async use(server) {
      await server.register(websocket);
      server.get('/echo', { websocket: true }, (socket) => {
        socket.on('message', (message: Buffer) => socket.send(`echo ${message.toString()}`));
      });
      server.get('/plain', async () => 'plain');
    },
    requests: [['/plain'], ['/echo']],
  },
  {
    packages: ['@fastify/static'],
    async use(server) {
      await server.register(fastifyStatic, { root: files });
      server.post('/orders', async () => 'ordered');
    },
    requests: [
      ['/'],
      ['/index.html'],
      ['/style.css'],
      ['/style.css', { headers: { range: 'bytes=0-3' } }],
      ['/../package.json'],
      ['/nothing'],
    ],
  },
  {
    packages: ['@fastify/swagger', '@fastify/swagger-ui'],
    async use(server) {
      await server.register(swagger, { openapi: { info: { title: 'Orders', version: '1' } } });
      await server.register(swaggerUi, { routePrefix: '/documentation' });
      const querystring = { type: 'object', properties: { page: { type: 'integer' } } };
      server.get('/orders', { schema: { querystring, tags: ['orders'] } }, async () => []);
    },
    requests: [
      ['/documentation/json'],
      ['/documentation/yaml'],
      ['/documentation/'],
      ['/documentation/static/swagger-ui.css'],
      ['/orders?page=x'],
    ],
    changing: ['last-modified', 'etag'],
  },
  {
    packages: ['@fastify/jwt'],
    async use(server) {
      await server.register(jwt, { secret: 'a secret of this test' });
      server.get('/token', async () => ({ token: server.jwt.sign({ sub: 'ada', iat: 1 }) }));
      server.get('/me', async (request) => request.jwtVerify());
    },
    requests: [
      ['/token'],
      ['/me'],
      ['/me', { headers: { authorization: 'Bearer rubbish' } }],
      [
        '/me',
        {
          headers: {
            authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.',
          },
        },
      ],
    ],
  },
  {
    packages: ['@fastify/basic-auth', '@fastify/auth'],
    async use(server) {
      await server.register(auth);
      await server.register(basicAuth, {
        validate: async (name, password) => {
          if (name !== 'ada' || password !== 'love') throw new Error('Who are you?');
        },
        authenticate: { realm: 'orders' },
      });
      server.after(() => {
        server.get('/basic', { onRequest: server.basicAuth }, async () => 'in');
        server.get('/either', { preHandler: server.auth([server.basicAuth]) }, async () => 'in');
      });
    },
    requests: [
      ['/basic'],
      ['/basic', basic('ada:love')],
      ['/basic', basic('ada:hate')],
      ['/either'],
      ['/either', basic('ada:love')],
    ],
  },
  {
    packages: ['@fastify/bearer-auth'],
    async use(server) {
      await server.register(bearerAuth, { keys: new Set(['a-key']) });
      server.get('/secret', async () => 'in');
    },
    requests: [['/secret'], ['/secret', { headers: { authorization: 'Bearer a-key' } }]],
  },
  {
    packages: ['@fastify/cookie'],
    async use(server) {
      await server.register(cookie, { secret: 'a secret of this test' });
      server.get('/set', (_request, reply) => reply.setCookie('a', 'b', { signed: true, httpOnly: true }).send('set'));
      server.get('/read', async (request) => request.cookies);
    },
    requests: [['/set'], ['/read', { headers: { cookie: 'a=1; b=2' } }]],
  },
  {
    packages: ['@fastify/csrf-protection'],
    async use(server) {
      await server.register(cookie);
      await server.register(csrf);
      server.get('/form', async (_request, reply) => ({ hasToken: reply.generateCsrf().length > 10 }));
      server.post(
        '/form',
        { onRequest: (request, reply, next) => server.csrfProtection(request, reply, next) },
        async () => 'taken',
      );
    },
    requests: [['/form'], ['/form', form('a=b')]],
    changing: ['set-cookie'],
  },
  {
    packages: ['@fastify/formbody'],
    async use(server) {
      await server.register(formbody);
      server.post('/form', async (request) => request.body);
    },
    requests: [
      ['/form', form('name=Ada+L&a=1&a=2&__proto__=x')],
      ['/form', form('a='.padEnd(2_000_000, 'x'))],
      ['/form', { method: 'POST', body: 'x', headers: { 'content-type': 'image/png' } }],
    ],
  },
  {
    packages: ['@fastify/compress'],
    async use(server) {
      await server.register(compress, { threshold: 10, encodings: ['gzip'] });
      server.get('/long', async () => ({ text: 'long '.repeat(1000) }));
    },
    requests: [
      ['/long', { headers: { 'accept-encoding': 'gzip' } }],
      ['/long', { headers: { 'accept-encoding': 'identity' } }],
    ],
  },
  {
    packages: ['@fastify/under-pressure'],
    async use(server) {
      await server.register(underPressure, {
        exposeStatusRoute: true,
        healthCheck: async () => true,
        healthCheckInterval: 500,
      });
      server.get('/orders', async () => []);
    },
    requests: [['/status'], ['/orders']],
  },
  {
    packages: ['@fastify/view'],
    async use(server) {
      await server.register(view, { engine: { handlebars }, root: files });
      server.get('/page', (_request, reply) => reply.view('page.hbs', { name: '<Ada>' }));
      server.get('/missing', (_request, reply) => reply.view('missing.hbs', {}));
    },
    requests: [['/page'], ['/missing']],
  },
  {
    packages: ['@fastify/type-provider-typebox'],
    use(server) {
      const body = Type.Object({ name: Type.String({ minLength: 2 }), age: Type.Optional(Type.Integer()) });
      server.post(
        '/ajv',
        { schema: { body, response: { 200: Type.Object({ name: Type.String() }) } } },
        async (request) => request.body,
      );
      server.register(async (scope) => {
        scope.setValidatorCompiler(TypeBoxValidatorCompiler);
        scope.post('/typebox', { schema: { body } }, async (request) => request.body);
      });
    },
    requests: [
      ['/ajv', json({ name: 'Ada', age: '36', extra: 1 })],
      ['/ajv', json({ name: 'A' })],
      ['/ajv', json({})],
      ['/typebox', json({ name: 'Ada' })],
      ['/typebox', json({ name: 1 })],
    ],
  },
  {
    packages: ['fastify-type-provider-zod'],
    use(server) {
      server.setValidatorCompiler(validatorCompiler);
      server.setSerializerCompiler(serializerCompiler);
      const body = z.object({ name: z.string().min(2) });
      const response = { 200: z.object({ name: z.string() }) };
      server.post('/zod', { schema: { body, response } }, async (request) => request.body);
      server.get('/wrong', { schema: { response } }, async () => ({ name: 1 }));
    },
    requests: [['/zod', json({ name: 'Ada', more: 1 })], ['/zod', json({ name: 'A' })], ['/zod', json(1)], ['/wrong']],
  },
  {
    packages: ['fastify-metrics'],
    async use(server) {
      await server.register(metrics.default, {
        endpoint: '/metrics',
        defaultMetrics: { enabled: false },
        clearRegisterOnInit: true,
      });
      server.get('/orders', async () => []);
    },
    requests: [['/orders'], ['/metrics']],
    changingText: /\d+(?:\.\d+)?(?:e-?\d+)?/g,
  },
  {
    packages: ['@fastify/otel'],
    async use(server) {
      await server.register(new FastifyOtelInstrumentation().plugin());
      server.get('/traced', async (request) => ({ isTraced: request.opentelemetry().enabled }));
      server.get('/fails', async () => {
        throw Object.assign(new Error('Sold out.'), { statusCode: 409 });
      });
    },
    requests: [['/traced'], ['/fails']],
  },
  {
    packages: ['@fastify/http-proxy'],
    async use(server, upstream) {
      await server.register(httpProxy, { upstream, prefix: '/there' });
    },
    requests: [['/there/hello'], ['/there/echo', json({ a: 1 })], ['/there/nothing']],
  },
  {
    packages: ['@fastify/reply-from'],
    async use(server, upstream) {
      await server.register(replyFrom, { base: upstream });
      server.get('/hello', (_request, reply) => reply.from('/hello'));
      server.get('/refused', (_request, reply) => reply.from('http://127.0.0.1:1/'));
    },
    requests: [['/hello'], ['/refused']],
  },
  {
    packages: ['mercurius'],
    async use(server) {
      await server.register(mercurius, {
        schema: 'type Query { add(x: Int, y: Int): Int }',
        resolvers: { Query: { add: async (_: unknown, { x, y }: { x: number; y: number }) => x + y } },
      });
    },
    requests: [
      ['/graphql?query={add(x:1,y:2)}'],
      ['/graphql', json({ query: '{ add(x: 2, y: 3) }' })],
      ['/graphql', json({ query: '{ wrong }' })],
      ['/graphql', json({ rubbish: 1 })],
    ],
  },
  {
    packages: ['@trpc/server'],
    async use(server) {
      await server.register(fastifyTRPCPlugin, { prefix: '/trpc', trpcOptions: { router } });
    },
    requests: [['/trpc/greet?input={"name":"Ada"}'], ['/trpc/greet?input={}'], ['/trpc/nothing']],
    changingText: /"stack":"(?:[^"\\]|\\.)*"/g,
  },
  {
    packages: ['@fastify/sensible'],
    async use(server) {
      await server.register(sensible);
      server.get('/not-found', async () => {
        throw server.httpErrors.notFound('There is no such order.');
      });
      server.get('/conflict', async (_request, reply) => reply.conflict('Sold out.'));
      server.get('/teapot', async (_request, reply) => reply.imateapot());
      server.get('/gateway', async (_request, reply) => reply.badGateway('the inside of the network'));
      server.get('/assert', async (request) => server.assert(request.query === null, 422, 'Not like that.'));
    },
    requests: [['/not-found'], ['/conflict'], ['/teapot'], ['/gateway'], ['/assert']],
  },
  {
    packages: ['@fastify/request-context'],
    async use(server) {
      await server.register(requestContext, { defaultStoreValues: { user: { id: 'system' } } });
      server.get('/context', async (request) => request.requestContext.get('user' as never) ?? 'none');
    },
    requests: [['/context']],
  },
  {
    packages: ['@fastify/env'],
    async use(server) {
      const schema = { type: 'object', properties: { COLOUR: { type: 'string', default: 'green' } } };
      await server.register(env, { schema, data: {} });
      server.get('/colour', async () => server.getEnvs());
    },
    requests: [['/colour']],
  },
  {
    packages: ['@fastify/etag'],
    async use(server) {
      await server.register(etag);
      server.get('/text', async () => 'the same text');
    },
    requests: [['/text'], ['/text', { headers: { 'if-none-match': '"AYmpJz"' } }]],
  },
  {
    packages: ['@fastify/middie'],
    async use(server) {
      await server.register(middie);
      server.use('/old', (_request, response, next) => {
        response.setHeader('x-old', 'yes');
        next();
      });
      server.use('/ends', (_request: IncomingMessage, response: ServerResponse) => void response.end('ended'));
      server.get('/old/page', async () => 'page');
      server.get('/ends', async () => 'never');
    },
    requests: [['/old/page'], ['/ends']],
    differs: { 'GET /ends': 'what a middleware writes itself has no security headers' },
  },
  {
    packages: ['@fastify/autoload'],
    async use(server) {
      await server.register(autoload, { dir: `${files}routes`, forceESM: true });
    },
    requests: [['/loaded']],
  },
  {
    packages: ['@fastify/accepts'],
    async use(server) {
      await server.register(accepts);
      server.get('/type', async (request) => ({ type: request.accepts().type(['json', 'html']) }));
    },
    requests: [['/type', { headers: { accept: 'text/html' } }]],
  },
  {
    packages: ['@fastify/caching'],
    async use(server) {
      await server.register(caching, { privacy: caching.privacy.PUBLIC, expiresIn: 300 });
      server.get('/cached', async () => ({ hello: 'world' }));
    },
    requests: [['/cached']],
  },
  {
    packages: ['@fastify/circuit-breaker'],
    async use(server) {
      await server.register(circuitBreaker, { threshold: 1, timeout: 1000, resetTimeout: 60_000 });
      server.get('/flaky', { preHandler: server.circuitBreaker() }, async () => {
        throw new Error('the inside');
      });
    },
    requests: [['/flaky'], ['/flaky?again']],
    differs: {
      'GET /flaky':
        'the answer that opens the circuit is written by Fastify itself, since the hook `onSend` of the plugin fails',
    },
  },
];
