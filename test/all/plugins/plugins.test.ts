import { readFileSync } from 'node:fs';
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
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import {
  type RunningApplication,
  startApplication,
} from '../../../packages/application/test-fixtures/running-application.ts';

interface Expected {
  readonly status: number;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}
type Asked = readonly [path: string, expected: Expected, options?: RequestInit];
type Use = (server: FastifyInstance) => unknown;

const startWith = (use: Use): Promise<RunningApplication> =>
  startApplication([{ name: 'plugin', register: (host) => host.routes(async (server) => void (await use(server))) }]);

const problem = (status: number, more = {}): Expected => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'x-content-type-options': 'nosniff', ...more },
});
const json = (body: unknown): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});
const upload = (size: number): RequestInit => {
  const body = new FormData();
  body.set('file', new Blob(['x'.repeat(size)]), 'a.txt');
  return { method: 'POST', body };
};
const elsewhere = 'http://elsewhere.example';
const files = fileURLToPath(new URL('./files/', import.meta.url));

/** What each does inside `host.routes`: as on plain Fastify, but for what docs/plugins.md says. */
const plugins: Readonly<Record<string, readonly [use: Use, ...asked: Asked[]]>> = {
  '@fastify/cookie': [
    async (server) => {
      await server.register(cookie, { secret: 'a secret of this test' });
      server.get('/set', (_request, reply) => reply.setCookie('a', 'b', { signed: true, httpOnly: true }).send('set'));
      server.get('/read', async (request) => request.cookies);
    },
    ['/set', { status: 200, headers: { 'set-cookie': expect.stringMatching(/^a=b\..*HttpOnly/) } }],
    ['/read', { status: 200, body: '{"a":"1","b":"2"}' }, { headers: { cookie: 'a=1; b=2' } }],
  ],
  '@fastify/cors': [
    async (server) => {
      await server.register(cors, { origin: [elsewhere] });
      server.get('/orders', async () => []);
    },
    [
      '/orders',
      { status: 200, headers: { 'access-control-allow-origin': elsewhere } },
      { headers: { origin: elsewhere } },
    ],
    ['/orders', problem(405), { method: 'DELETE' }],
    [
      '/orders',
      { status: 204, headers: { 'access-control-allow-methods': expect.stringContaining('GET') } },
      { method: 'OPTIONS', headers: { origin: elsewhere, 'access-control-request-method': 'PUT' } },
    ],
  ],
  '@fastify/helmet': [
    async (server) => {
      await server.register(helmet);
      server.get('/page', (_request, reply) => reply.type('text/html').send('<p>Hello</p>'));
    },
    ['/page', { status: 200, headers: { 'content-security-policy': expect.stringMatching(/^default-src 'self'/) } }],
  ],
  '@fastify/jwt': [
    async (server) => {
      await server.register(jwt, { secret: 'a secret of this test' });
      server.get('/token', async () => server.jwt.verify(server.jwt.sign({ sub: 'ada', iat: 1 })));
      server.get('/me', async (request) => request.jwtVerify());
    },
    ['/token', { status: 200, body: '{"sub":"ada","iat":1}' }],
    ['/me', problem(401)],
    ['/me', problem(401), { headers: { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.' } }],
  ],
  '@fastify/multipart': [
    async (server) => {
      await server.register(multipart, { limits: { fileSize: 100_000 } });
      server.post('/upload', async (request) => (await (await request.file())?.toBuffer())?.length);
    },
    ['/upload', { status: 200, body: '50000' }, upload(50_000)],
    ['/upload', problem(413), upload(200_000)],
    ['/upload', problem(406), json({})],
  ],
  '@fastify/rate-limit': [
    async (server) => {
      await server.register(rateLimit, { max: 1, timeWindow: '1 hour' });
      server.get('/', async () => 'hello');
    },
    ['/', { status: 200, headers: { 'x-ratelimit-limit': '1' } }],
    ['/', problem(429, { 'retry-after': '3600' })],
  ],
  '@fastify/static': [
    async (server) => {
      await server.register(fastifyStatic, { root: files });
    },
    ['/', { status: 200, body: '<!DOCTYPE html><title>Files</title>\n' }],
    ['/style.css', { status: 206, body: 'p {\n' }, { headers: { range: 'bytes=0-3' } }],
    ['/nothing', problem(404)],
  ],
  '@fastify/under-pressure': [
    async (server) => {
      await server.register(underPressure, { exposeStatusRoute: true });
    },
    ['/status', { status: 200, body: '{"status":"ok"}' }],
    ['/health', { status: 200 }],
  ],
  '@fastify/websocket': [
    async (server) => {
      await server.register(websocket);
      server.get('/echo', { websocket: true }, (socket) => {
        socket.on('message', (message: Buffer) => socket.send(`echo ${message.toString()}`));
      });
    },
    ['/echo', { status: 404 }],
  ],
  'fastify-type-provider-zod': [
    (server) => {
      server.setValidatorCompiler(validatorCompiler);
      server.setSerializerCompiler(serializerCompiler);
      const body = z.object({ name: z.string().min(2) });
      const response = { 200: z.object({ name: z.string() }) };
      server.post('/zod', { schema: { body, response } }, async (request) => request.body);
      server.get('/wrong', { schema: { response } }, async () => ({ name: 1 }));
    },
    ['/zod', { status: 200, body: '{"name":"Ada"}' }, json({ name: 'Ada', more: 1 })],
    ['/zod', problem(400), json({ name: 'A' })],
    ['/wrong', problem(500)],
  ],
};

it.each(Object.entries(plugins))('%s works inside host.routes', async (_name, [use, ...all]) => {
  await using application = await startWith(use);
  for (const [path, expected, options] of all) {
    const answer = await fetch(application.url + path, options);
    const { status, headers } = answer;
    expect({ status, headers: Object.fromEntries(headers), body: await answer.text() }).toMatchObject(expected);
  }
});

it('@fastify/websocket exchanges messages inside host.routes', async () => {
  await using application = await startWith((server) => plugins['@fastify/websocket']?.[0](server));
  const socket = new WebSocket(`${application.url.replace('http', 'ws')}/echo`);
  const message = new Promise((resolve, reject) => {
    socket.on('open', () => socket.send('hello'));
    socket.on('message', (data: Buffer) => resolve(data.toString()));
    socket.on('error', reject);
  });
  expect(await message).toBe('echo hello');
  socket.close();
});

it('docs/plugins.md lists the tested plugins with the tested versions', () => {
  const page = readFileSync(new URL('../../../docs/plugins.md', import.meta.url), 'utf8');
  const [, section = ''] = /\n## What is tested\n(.*?)\n## /s.exec(page) ?? [];
  const versionOf = (name: string): string =>
    JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;
  const listed = [...section.matchAll(/`([^`]+)` (\d+)/g)].map(([, name, version]) => `${name} ${version}`);
  expect(listed.sort()).toEqual(
    Object.keys(plugins)
      .map((name) => `${name} ${versionOf(name).split('.')[0]}`)
      .sort(),
  );
});
