import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange } from '../../../../test/support/exchange.ts';
import { nodeRequest } from '../mounts/node.ts';
import { BeanProblem } from './problem.ts';
import { largestBody, readBody } from './request.ts';

/** What a body parser in front does, by path: it reads the body or not, and leaves something or nothing. */
const parsers: Readonly<Record<string, (raw: IncomingMessage) => Promise<(() => unknown) | undefined>>> = {
  '/none': async () => undefined,
  '/unread': async () => () => ({}),
  '/json': async (raw) => {
    const parsed: unknown = JSON.parse(await text(raw));
    return () => parsed;
  },
  '/form': async (raw) => {
    const fields = new URLSearchParams(await text(raw));
    return () => ({ one: fields.get('one'), many: fields.getAll('many') });
  },
  '/text': async (raw) => {
    const whole = await text(raw);
    return () => whole;
  },
  '/lost': async (raw) => {
    await text(raw);
    return undefined;
  },
};

async function answer(raw: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const parsedBody = await parsers[raw.url ?? '']?.(raw);
    const request = nodeRequest(raw, { parsedBody });
    response.end(await readBody({ raw: request }));
  } catch (error) {
    if (!(error instanceof BeanProblem)) throw error;
    response.writeHead(error.status, error.headers).end(error.message);
  }
}

let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((raw, response) => void answer(raw, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const post = (path: string, body: string, type = 'application/json') =>
  fetch(url + path, { method: 'POST', headers: { 'content-type': type }, body });

describe('the body of a POST', () => {
  it.each(['/none', '/unread', '/json', '/text'])('is read after any body parser: %s', async (path) => {
    expect(await (await post(path, '{"ä":[1,2]}')).text()).toBe('{"ä":[1,2]}');
  });

  it('is a form if a body parser has parsed it as one', async () => {
    const answer = await post('/form', 'one=%26&many=a&many=b', 'application/x-www-form-urlencoded; charset=utf-8');
    expect(await answer.text()).toBe('one=%26&many=a&many=b');
  });

  it('is 400 when it was read before and not kept', async () => {
    const answer = await post('/lost', '{}');
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('before body parsers')]);
  });

  it.each(['/none', '/json', '/text'])('is 413 when it is too long: %s', async (path) => {
    expect((await post(path, JSON.stringify('x'.repeat(largestBody - 2)))).status).toBe(200);
    expect((await post(path, JSON.stringify('x'.repeat(largestBody - 1)))).status).toBe(413);
  });

  it.each(['/json', '/text'])('is 413 when a body parser has read a too long one in chunks: %s', async (path) => {
    const body = new Blob([JSON.stringify('x'.repeat(largestBody + 1))]).stream();
    const chunked = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' };
    expect((await fetch(url + path, chunked as RequestInit)).status).toBe(413);
  });

  it('is 413 when it becomes too long, and the connection stays usable', async () => {
    const chunk = `${largestBody.toString(16)}\r\n${'x'.repeat(largestBody)}\r\n`;
    const head = 'POST /none HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n';
    const last = 'POST /none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 4\r\n\r\nlast';
    const { status, raw } = await exchange(url, `${head}\r\n${chunk.repeat(100)}0\r\n\r\n${last}`);
    expect(status).toBe(413);
    expect(raw).toMatch(/\r\n\r\nlast$/);
  });
});
