import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { answerClientError } from './client-errors.ts';

/** Sends the texts one after the other, each once something has come back, and gives all that came. */
function converse(port: number, [first = '', ...later]: string[]): Promise<string> {
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

it('answers what is no HTTP with 400, unless an answer is under way, which it would spoil', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/whole') response.end('whole');
    else response.write('begun');
  });
  server.on('clientError', answerClientError);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const garbage = 'no HTTP at all\r\n\r\n';

  expect(await converse(port, [garbage])).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  const afterWhole = await converse(port, ['GET /whole HTTP/1.1\r\nhost: x\r\n\r\n', garbage]);
  expect(afterWhole).toMatch(/whole[\s\S]*HTTP\/1\.1 400 Bad Request\r\n/);
  const insideAnswer = await converse(port, ['GET /begun HTTP/1.1\r\nhost: x\r\n\r\n', garbage]);
  expect(insideAnswer).toContain('begun');
  expect(insideAnswer).not.toContain('400');
  server.close();
});
