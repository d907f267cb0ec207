import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { describe, expect, it } from 'vitest';
import { PreparedResponse } from './prepared-response.ts';
import { addSecurityHeaders } from './security-headers.ts';

const page = new PreparedResponse(200, {
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
  vary: 'Cookie',
});
const redirect = new PreparedResponse(302, { location: '/page' });

/** Whether the last response went past Fastify. */
let isDirect: boolean;

const routes: FastifyPluginAsync = async (server) => {
  server.get<{ Params: { parts: string } }>('/page/:parts', (request, reply) => {
    const body = Array.from({ length: Number(request.params.parts) }, (_, index) => Buffer.from(`part ${index} ü\n`));
    const sent = page.send(reply, body, ['server-timing', 'now']);
    isDirect = sent === undefined;
    return sent;
  });
  // The same hooks as GET, with which Fastify prints it.
  server.post('/page/:parts', async () => 'stored');
  server.post('/form', (_request, reply) => {
    reply.header('set-cookie', 'a=1').header('set-cookie', 'b=2');
    const sent = redirect.send(reply, []);
    isDirect = sent === undefined;
    return sent;
  });
};

type Plugin = (server: FastifyInstance) => void;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: string;
}

/** What a server with the routes answers over a real connection, but for what differs each time. */
async function answer(line: string, plugin: Plugin = () => {}): Promise<Answer> {
  const server = Fastify({ forceCloseConnections: true });
  addSecurityHeaders(server);
  server.register(fastifyPlugin(async (root) => plugin(root)));
  server.register(routes);
  const [method = '', path = ''] = line.split(' ');
  try {
    const address = await server.listen({ port: 0, host: '127.0.0.1' });
    const response = await fetch(address + path, { method, redirect: 'manual' });
    const { date: _, ...headers } = Object.fromEntries(response.headers);
    return { status: response.status, headers, cookies: response.headers.getSetCookie(), body: await response.text() };
  } finally {
    await server.close();
  }
}

describe('a prepared response', () => {
  it.each(['GET /page/0', 'GET /page/1', 'GET /page/7', 'HEAD /page/7', 'POST /form'])(
    'is the same past Fastify as by Fastify: %s',
    async (line) => {
      const direct = await answer(line);
      expect(isDirect).toBe(!line.startsWith('HEAD'));
      const byFastify = await answer(line, (server) => void server.addHook('onSend', async (_, __, body) => body));
      expect(isDirect).toBe(false);
      expect(direct).toEqual(byFastify);
      expect(direct.cookies).toEqual(line === 'POST /form' ? ['a=1', 'b=2'] : []);
      expect(direct.headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
    },
  );

  it('replaces a security header that it has itself', async () => {
    expect((await answer('GET /page/1')).headers['referrer-policy']).toBe('no-referrer');
  });

  it('goes past Fastify whatever other routes there are', async () => {
    const server = Fastify();
    addSecurityHeaders(server);
    // As in the host, each route has other hooks too.
    server.addHook('onRequest', async () => {});
    for (const path of ['/', '/*', '/page', '/page/:parts/more', '/pages', '/pa', '/page/:parts/*', '/form/:id'])
      server.get(path, { onSend: async () => 'replaced' }, async () => 'other');
    server.register(routes);
    expect((await server.inject('/page/1')).body).toBe('part 0 ü\n');
    expect(isDirect).toBe(true);
    expect((await server.inject({ method: 'POST', url: '/form' })).statusCode).toBe(302);
    expect(isDirect).toBe(true);
    expect((await server.inject('/page')).body).toBe('replaced');
  });

  it('goes past Fastify when a hook onSend is meant for other routes only', async () => {
    const server = Fastify();
    addSecurityHeaders(server);
    server.register(async (scope) => void scope.addHook('onSend', async () => 'replaced'));
    server.register(routes);
    expect((await server.inject('/page/1')).body).toBe('part 0 ü\n');
    expect(isDirect).toBe(true);
  });
});

const addingHeader: Record<string, Plugin> = {
  'onSend of the application': (server) =>
    void server.addHook('onSend', async (_request, reply) => void reply.header('x-hook', 'yes')),
  'onSend that a hook onRoute adds': (server) =>
    void server.addHook('onRoute', (route) => {
      route.onSend = [route.onSend ?? []].flat().concat((_request, reply, payload, done) => {
        reply.header('x-hook', 'yes');
        done(null, payload);
      });
    }),
  onRequest: (server) =>
    void server.addHook('onRequest', async (_request, reply) => void reply.header('x-hook', 'yes')),
  'onRequest by the raw response': (server) =>
    void server.addHook('onRequest', async (_request, { raw }) => void raw.setHeader('x-hook', 'yes')),
  preHandler: (server) =>
    void server.addHook('preHandler', async (_request, reply) => void reply.header('x-hook', 'yes')),
};

describe.each(Object.entries(addingHeader))('a header that is set by %s', (_how, plugin) => {
  it.each(['GET /page/1', 'GET /page/2', 'HEAD /page/1', 'POST /form'])('is there on %s', async (line) => {
    const { headers } = await answer(line, plugin);
    expect(headers).toMatchObject({ 'x-hook': 'yes', 'x-content-type-options': 'nosniff' });
    expect(isDirect).toBe(false);
  });
});

it('a header that holds a list keeps what a hook has put there', async () => {
  const { headers } = await answer('GET /page/1', (server) => {
    server.addHook(
      'onRequest',
      async (_request, reply) => void reply.headers({ vary: 'Origin', 'server-timing': 'db' }),
    );
  });
  expect(headers).toMatchObject({ vary: 'Origin, Cookie', 'server-timing': 'db, now' });
});
