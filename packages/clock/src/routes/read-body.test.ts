import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@jig/application';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readBody } from './read-body.ts';

const limit = 10;
let server: Server;
let client: Socket;
let seen: (readonly [status: number, body: string | undefined, request: IncomingMessage])[];

beforeEach(async () => {
  seen = [];
  server = createServer((request, response) =>
    readBody(request, limit, (error, body) => {
      const status = error instanceof Problem ? error.status : 200;
      seen.push([status, body?.toString(), request]);
      response.writeHead(status).end();
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
});

afterEach(async () => {
  client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const announced = (length: number) => `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n\r\n`;
const chunked = 'POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n';

/** Sends the pieces with a pause between each, and gives what was read once so many bodies were. */
async function reading(pieces: readonly string[], bodies = 1) {
  for (const piece of pieces) {
    client.write(piece);
    await sleep(20);
  }
  await expect.poll(() => seen.length).toBe(bodies);
  return seen.map(([status, body]) => (status === 200 ? body : status));
}

it.each([
  ['in one piece with its head', [`${announced(5)}abcde`], ['abcde']],
  ['as long as the limit', [`${announced(10)}0123456789`], ['0123456789']],
  ['of no bytes', [announced(0)], ['']],
  ['after its head', [announced(5), 'abcde'], ['abcde']],
  ['byte by byte', [announced(3), 'a', 'b', 'c'], ['abc']],
  ['in chunks that come at once', [`${chunked}3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`], ['abcde']],
  ['in chunks that come one by one', [chunked, '3\r\nabc\r\n', '2\r\nde\r\n', '0\r\n\r\n'], ['abcde']],
  ['over the limit, at once', [`${announced(11)}0123456789x`], [413]],
  ['over the limit, in a chunk at once', [`${chunked}b\r\n0123456789x\r\n0\r\n\r\n`], [413]],
  ['over the limit, in small chunks at once', [`${chunked}${'1\r\nx\r\n'.repeat(11)}0\r\n\r\n`], [413]],
  ['over the limit, one by one', [chunked, '6\r\n012345\r\n', '6\r\n6789xy\r\n', '0\r\n\r\n'], [413]],
])('reads a body that comes %s', async (_how, pieces, expected) => {
  expect(await reading(pieces)).toEqual(expected);
});

it('reads one after the other on a connection, in their order', async () => {
  const both = `${announced(1)}a${announced(2)}bc`;
  expect(await reading([both, announced(1), 'd'], 3)).toEqual(['a', 'bc', 'd']);
});

it('leaves nothing of a request behind, so that it is ended', async () => {
  await reading([`${announced(3)}abc`, announced(3), 'abc'], 2);
  await expect
    .poll(() => seen.map(([, , request]) => [request.readableEnded, request.destroyed]))
    .toEqual([
      [true, true],
      [true, true],
    ]);
  expect(seen.flatMap(([, , request]) => request.listeners('data'))).toEqual([]);
});

it.each([
  ['before its first byte', []],
  ['in its middle', ['ab']],
])('says so once when the sender goes %s', async (_when, pieces) => {
  await new Promise((resolve) => client.once('connect', resolve));
  for (const piece of [announced(5), ...pieces]) client.write(piece);
  client.end();
  await expect.poll(() => seen.map(([status]) => status)).toEqual([400]);
  await sleep(20);
  expect(seen).toHaveLength(1);
});

it('says so when the connection is gone before it began to read', async () => {
  server.prependListener('request', (request: IncomingMessage) => request.destroy());
  client.on('error', () => {});
  expect(await reading([announced(5)])).toEqual([400]);
});
