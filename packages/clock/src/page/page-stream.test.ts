import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { finished, pipeline } from 'node:stream/promises';
import { expect, it, onTestFinished } from 'vitest';
import { PageStream } from './page-stream.ts';

// More than a socket takes at once.
const parts = ['a', 'b', 'c'].map((letter) => Buffer.alloc(200_000, letter));
const page = Buffer.concat(parts).toString();

/** What a client gets of a page that is sent so. */
async function sent(send: (page: Readable, response: ServerResponse) => unknown): Promise<string> {
  const server = createServer((_request, response) => send(new PageStream(parts), response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const request = get({ port: (server.address() as AddressInfo).port, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return text(response);
}

it('a page is written to a response whole, and its stream ends', async () => {
  let ended: Promise<void> | undefined;
  const body = await sent((stream, response) => {
    ended = finished(stream);
    stream.pipe(response);
    expect(response.writableEnded).toBe(true);
  });
  await ended;
  expect(body === page).toBe(true);
});

it('a page of which somebody else reads a copy comes to both whole', async () => {
  const copies: Promise<Buffer>[] = [];
  const body = await sent((stream, response) => {
    copies.push(buffer(stream.pipe(new PassThrough())));
    stream.pipe(response);
  });
  expect([body === page, (await copies[0])?.toString() === page]).toEqual([true, true]);
});

it('a page that a listener has seen comes whole', async () => {
  let length = 0;
  const body = await sent((stream, response) => {
    stream.on('data', (part: Buffer) => {
      length += part.length;
    });
    stream.pipe(response);
  });
  expect([body === page, length]).toEqual([true, page.length]);
});

it('a page is read like any other stream: by pipeline, and into a response that another ends', async () => {
  expect((await sent((stream, response) => pipeline(stream, new PassThrough(), response))) === page).toBe(true);
  const body = await sent((stream, response) => {
    stream.pipe(response, { end: false });
    stream.once('end', () => response.end('the end'));
  });
  expect(body === `${page}the end`).toBe(true);
});

it('a page for a client that has left ends without an error', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const request = get({ port: (server.address() as AddressInfo).port, agent: false }).on('error', () => {});
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  request.destroy();
  await once(response, 'close');
  response.on('error', () => {});
  const stream = new PageStream(parts);
  stream.pipe(response);
  await finished(stream);
});
