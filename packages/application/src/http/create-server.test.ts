import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { createServer } from './create-server.ts';
import { KnownPaths } from './known-paths.ts';
import type { ServerSettings } from './server-settings.ts';

const usual: ServerSettings = {
  host: '127.0.0.1',
  port: 0,
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  idleTimeout: 10_000,
  bodyLimit: 1024,
  headersLimit: 16_384,
  trustProxy: false,
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
  server = createServer({ ...usual, ...settings }, log, new KnownPaths(16_384));
  server.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  routes(server);
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

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
const post = (path: string, headers: string, body = '') =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\n${headers}\r\n\r\n${body}`;

describe('a client that closes its side after its request', () => {
  it.each([
    ['at once', 0],
    ['later', 50],
  ])('gets the answer of a handler that answers %s', async (_, delay) => {
    await serve({}, (host) =>
      host.post('/', async (request) => {
        await wait(delay);
        return `got ${request.body}`;
      }),
    );
    const socket = open();
    socket.end(post('/', 'content-length: 3', 'abc'));
    const answer = await received(socket);
    expect(statuses(answer)).toEqual([200]);
    expect(answer).toMatch(/got abc$/);
  });

  it('gets the answers to all of its requests, in order', async () => {
    await serve({}, (host) =>
      host.get('/:delay', async (request) => {
        const { delay } = request.params as { delay: string };
        await wait(Number(delay));
        return `after ${delay}.`;
      }),
    );
    const socket = open();
    socket.end([60, 30, 1].map((delay) => `GET /${delay} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''));
    expect((await received(socket)).match(/after \d+/g)).toEqual(['after 60', 'after 30', 'after 1']);
  });

  it('gets 400 when the request was not all there', async () => {
    await serve({}, (host) => host.post('/', async () => 'stored'));
    const socket = open();
    socket.end(post('/', 'content-length: 30', 'abc'));
    expect(statuses(await received(socket))).toEqual([400]);
  });
});
