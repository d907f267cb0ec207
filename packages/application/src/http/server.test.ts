import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Problem } from '@jig/http/problem';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import type { ServerSettings } from '../configuration/host-settings.ts';
import { AllowedMethods, handleNotFound } from './not-found.ts';
import { closeServer, createServer, logRequests } from './server.ts';

const usual: ServerSettings = {
  host: '127.0.0.1',
  port: 0,
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  idleTimeout: 10_000,
  responseTimeout: 0,
  bodyLimit: 1024,
  headersLimit: 16_384,
  trustProxy: false,
  requestIdHeader: undefined,
};

let server: FastifyInstance;
let lines: string[] = [];

afterEach(async () => {
  server.server.closeAllConnections();
  await server.close();
  lines = [];
});

async function serve(
  settings: Partial<ServerSettings>,
  routes: (server: FastifyInstance) => void = () => {},
): Promise<void> {
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const allowedMethods = new AllowedMethods(16_384);
  server = createServer({ ...usual, ...settings }, log, allowedMethods, 10_000);
  routes(server);
  handleNotFound(server, allowedMethods);
  await server.listen({ host: '127.0.0.1', port: 0 });
  lines = [];
}

function open(): Socket {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  return socket.on('error', () => {});
}

/** Everything that comes until the server closes the connection. */
async function received(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

/** Sends the text and gives all that comes back. */
async function exchange(text: string): Promise<string> {
  const socket = open();
  socket.write(text);
  return received(socket);
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`;
const post = (path: string, headers: string, body = '') =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\n${headers}\r\n\r\n${body}`;

describe('a request', () => {
  const logging = (app: FastifyInstance) => {
    app.get('/', async (request) => {
      request.log.info('seen');
      return { id: request.id, ip: request.ip };
    });
  };
  const address = () => `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const ask = async (headers: Record<string, string> = {}) =>
    (await (await fetch(address(), { headers })).json()) as { id: string; ip: string };
  const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

  it('has an ID, which its log lines contain as reqId', async () => {
    await serve({}, logging);
    const ids = [await ask({ 'x-request-id': 'mine' }), await ask()].map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain('mine');
    expect(logged()).toMatchObject(ids.map((reqId) => ({ msg: 'seen', reqId })));
  });

  it('takes its ID from the header that server.requestIdHeader names', async () => {
    await serve({ requestIdHeader: 'x-request-id' }, logging);
    expect((await ask({ 'x-request-id': 'mine' })).id).toBe('mine');
    expect(logged()).toMatchObject([{ msg: 'seen', reqId: 'mine' }]);
  });

  it('is logged in one line when it is answered, whatever the status', async () => {
    await serve({}, (app) => {
      logRequests(app);
      logging(app);
    });
    const { id } = await ask();
    await fetch(`${address()}/nothing`);
    await server.close();
    expect(logged().filter(({ msg }) => msg === 'request completed')).toMatchObject([
      { reqId: id, res: {}, responseTime: expect.any(Number) },
      { responseTime: expect.any(Number) },
    ]);
  });

  it.each<[ServerSettings['trustProxy'], string]>([
    [true, '1.1.1.1'],
    ['127.0.0.1', '2.2.2.2'],
    ['loopback, 2.2.0.0/16', '1.1.1.1'],
  ])('has the client address that server.trustProxy %j trusts', async (trustProxy, ip) => {
    await serve({ trustProxy }, logging);
    expect((await ask({ 'x-forwarded-for': '1.1.1.1, 2.2.2.2' })).ip).toBe(ip);
  });
});

it('a plugin may parse forms itself, as @fastify/formbody does', async () => {
  const type = 'application/x-www-form-urlencoded';
  const body = `content-type: ${type}\r\nconnection: close\r\ncontent-length: 3\r\n\r\na=b`;
  await serve({}, (host) => {
    host.post('/parsed', async (request) => request.body);
    host.register(async (scope) => {
      scope.addContentTypeParser<string>(type, { parseAs: 'string' }, (_request, form, done) => done(null, { form }));
      scope.post('/own', async (request) => request.body);
    });
  });
  expect(await exchange(`POST /parsed HTTP/1.1\r\nhost: x\r\n${body}`)).toMatch(/\{"a":"b"\}$/);
  expect(await exchange(`POST /own HTTP/1.1\r\nhost: x\r\n${body}`)).toMatch(/\{"form":"a=b"\}$/);
});

describe('a client that closes its side after its request', () => {
  it('gets the answer', async () => {
    await serve({}, (host) => host.post('/', async (request) => wait(50, `got ${String(request.body)}`)));
    const socket = open();
    socket.end(post('/', 'content-length: 3', 'abc'));
    const answer = await received(socket);
    expect(statuses(answer)).toEqual([200]);
    expect(answer).toMatch(/got abc$/);
  });
});

describe('a connection on which nothing moves', () => {
  const impatient = { headersTimeout: 100, requestTimeout: 100, idleTimeout: 100 };

  it('stays open while a handler is slow, and while it pauses in its response', async () => {
    await serve(impatient, (host) =>
      host.get('/', async (_request, reply) => {
        reply.hijack();
        await wait(400);
        reply.raw.write('one, ');
        await wait(400);
        reply.raw.end('two');
      }),
    );
    const answer = await exchange(get('/'));
    expect(answer).toContain('one, ');
    expect(answer).toContain('two');
  });
});

describe('server.responseTimeout', () => {
  it('answers 503 when a handler takes longer, and logs one line', async () => {
    await serve({ responseTimeout: 100 }, (host) => host.get('/slow/:id', () => new Promise<never>(() => {})));
    const answer = await exchange('GET /slow/secret-id?a=b HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect(statuses(answer)).toEqual([503]);
    expect(answer).toMatch(/\r\ncontent-type: application\/problem\+json\r\n/);
    expect(answer).toMatch(/\r\nx-content-type-options: nosniff\r\n/);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, msg: expect.stringMatching(/^GET \/slow\/:id failed: /) },
    ]);
  });
});

describe('the log', () => {
  const thrown = (fields: object) => Object.assign(new Error('the inside'), fields);
  it.each<[string, unknown, number, readonly number[]]>([
    ['an unexpected error as an error', thrown({}), 500, [50]],
    ['an error with a status of 5xx as a warning', thrown({ statusCode: 502 }), 502, [40]],
    ['nothing of an error with a status of 4xx', thrown({ statusCode: 409 }), 409, []],
    ['nothing of a problem that is meant', new Problem(503), 503, []],
  ])('says %s', async (_what, error, status, levels) => {
    await serve({}, (host) => host.get('/', async () => Promise.reject(error)));
    expect(statuses(await exchange(get('/')))).toEqual([status]);
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(levels);
    if (levels.length > 0) expect(JSON.parse(lines[0] ?? '').msg).toBe('GET / failed: the inside');
  });
});

describe('closeServer', () => {
  it('does not wait for connections without a request, which browsers open in advance', async () => {
    await serve({ headersTimeout: 100_000, requestTimeout: 100_000, idleTimeout: 100_000 });
    const connected = once(server.server, 'connection');
    const closed = once(open().resume(), 'close');
    await connected;
    await closeServer(server, 600_000);
    await closed;
  });
});
