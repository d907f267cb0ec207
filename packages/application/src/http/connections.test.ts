import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { answerClientError, lingerAfterRefusedBodies, rejectConnect } from './connections.ts';

let server: Server;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function listen(handler: RequestListener): Promise<number> {
  server = createServer(handler);
  server.on('clientError', answerClientError);
  rejectConnect(server, 10_000);
  lingerAfterRefusedBodies(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return (server.address() as AddressInfo).port;
}

/** Sends the texts one after the other, each once something has come back, and gives all that came. */
function converse(port: number, [first = '', ...later]: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
      const next = later.shift();
      if (next !== undefined) socket.write(next);
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
    socket.write(first);
  });
}

/** Sends a body in pieces, and gives what came until it was sent or could not be sent; some clients read nothing before that. */
function upload(port: number, length: number, readsMeanwhile: boolean): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
    const send = (left: number) => {
      const piece = Buffer.alloc(Math.min(left, 2 ** 16));
      if (left > 0) socket.write(piece, (error) => error ?? setImmediate(send, left - piece.length));
      else socket.resume();
    };
    if (!readsMeanwhile) socket.pause();
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`);
    send(length);
  });
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
const post = (path: string, body: string) => `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\n${body}`;
const garbage = 'no HTTP at all\r\n\r\n';
const connectRequest = 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nhost: x\r\n\r\n';

/** Statuses and bodies in the order in which they came, each answer whole. */
const answers = (received: string) =>
  received
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .map((text) => `${/ (\d{3}) /.exec(text)?.[1]} ${text.split('\r\n\r\n')[1]?.replace(/^\{.*/, 'problem')}`);

/** Answers with the path, later addresses sooner than earlier ones: `/3`, `/2`, `/1`. */
const inReverse: RequestListener = (request, response) => {
  setTimeout(() => response.setHeader('content-length', 2).end(request.url), 20 * Number(request.url?.slice(1)));
};

describe('what is no HTTP', () => {
  it('is answered with 400', async () => {
    const port = await listen((_, response) => response.end());
    expect(answers(await converse(port, [garbage]))).toEqual(['400 problem']);
  });

  it.each([
    ['one request', [get('/1') + garbage], ['200 /1', '400 problem']],
    ['several requests', [get('/3') + get('/2') + get('/1') + garbage], ['200 /3', '200 /2', '200 /1', '400 problem']],
    ['a form', [post('/1', 'a=b') + garbage], ['200 /1', '400 problem']],
    ['a request that was answered already', [get('/1'), garbage], ['200 /1', '400 problem']],
    ['the last request of a connection', [get('/1').replace('x', 'x\r\nconnection: close') + garbage], ['200 /1']],
  ])('is answered after %s that came before it', async (_, sent, expected) => {
    const port = await listen(inReverse);
    expect(answers(await converse(port, sent))).toEqual(expected);
  });

  it('is answered after an answer that is under way', async () => {
    const port = await listen((_, response) => {
      response.setHeader('content-length', 10).write('begun');
      setTimeout(() => response.end('ended'), 50);
    });
    const received = await converse(port, [get('/'), garbage, garbage]);
    expect(answers(received)).toEqual(['200 begunended', '400 problem']);
  });

  it('is answered once, however much of it comes', async () => {
    const port = await listen(inReverse);
    expect(answers(await converse(port, [get('/5') + garbage.repeat(20_000)]))).toEqual(['200 /5', '400 problem']);
  });
});

describe('a request that breaks off in its body', () => {
  const chunked = 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n';
  const brokenChunk = 'zz\r\n';

  it('is answered with 400 instead, after those before it', async () => {
    const port = await listen((request, response) => {
      if (request.method === 'GET') inReverse(request, response);
      else request.resume().on('end', () => response.end('never'));
    });
    expect(answers(await converse(port, [get('/1') + chunked + brokenChunk]))).toEqual(['200 /1', '400 problem']);
  });

  it('is not answered a second time', async () => {
    const port = await listen((_, response) => response.setHeader('content-length', 2).end('ok'));
    expect(answers(await converse(port, [chunked, brokenChunk]))).toEqual(['200 ok']);
  });

  it('is cut off when its answer has begun and cannot be ended', async () => {
    const port = await listen((_, response) => response.setHeader('content-length', 10).write('begun'));
    expect(answers(await converse(port, [chunked, brokenChunk]))).toEqual(['200 begun']);
  });
});

describe('CONNECT', () => {
  it('is answered with 501, and the connection ends', async () => {
    const port = await listen((_, response) => response.end());
    const received = await converse(port, [connectRequest]);
    expect(answers(received)).toEqual(['501 problem']);
    expect(received).toMatch(/\r\nconnection: close\r\n/);
  });

  it('is answered after the requests before it', async () => {
    const port = await listen(inReverse);
    expect(answers(await converse(port, [get('/2') + get('/1') + connectRequest]))).toEqual([
      '200 /2',
      '200 /1',
      '501 problem',
    ]);
  });
});

describe('a request that is refused while its body still comes', () => {
  const seen: (string | undefined)[] = [];
  const refuse: RequestListener = (request, response) => {
    seen.push(request.url);
    response.writeHead(413, { connection: 'close', 'content-length': 2 }).end('no');
  };

  it.each([
    ['reads meanwhile', true],
    ['reads after that', false],
  ])('is answered, however much the client sends, which %s', async (_, readsMeanwhile) => {
    const port = await listen(refuse);
    for (let round = 0; round < 20; round++)
      expect(answers(await upload(port, 2 ** 22, readsMeanwhile))).toEqual(['413 no']);
  });

  it('is the last of its connection: what follows the body is not handled', async () => {
    const port = await listen(refuse);
    seen.length = 0;
    const rest = converse(port, [post('/refused', 'a'), `bc${get('/next')}`]);
    expect(answers(await rest)).toEqual(['413 no']);
    expect(seen).toEqual(['/refused']);
  });
});
