import { fileURLToPath } from 'node:url';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import jwt from '@fastify/jwt';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import fastifyStatic from '@fastify/static';
import underPressure from '@fastify/under-pressure';
import websocket from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
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
const upload = (size: number): RequestInit => {
  const body = new FormData();
  body.set('name', 'Ada');
  body.set('file', new Blob(['x'.repeat(size)]), 'a.txt');
  return { method: 'POST', body };
};

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
    packages: ['@fastify/cookie'],
    async use(server) {
      await server.register(cookie, { secret: 'a secret of this test' });
      server.get('/set', (_request, reply) => reply.setCookie('a', 'b', { signed: true, httpOnly: true }).send('set'));
      server.get('/read', async (request) => request.cookies);
    },
    requests: [['/set'], ['/read', { headers: { cookie: 'a=1; b=2' } }]],
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
];
