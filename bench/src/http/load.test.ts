import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { requestBytes, sendLoad } from './load.ts';

let server: Server;

async function serve(listener: RequestListener): Promise<URL> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

describe('sendLoad', () => {
  it('sends the given number of requests in turns, and waits for whole responses, chunked or not', async () => {
    const seen = new Map<string, number>();
    const url = await serve((request, response) => {
      const name = `${request.method} ${request.url}`;
      seen.set(name, (seen.get(name) ?? 0) + 1);
      if (request.url === '/chunked') {
        response.write('a'.repeat(100_000));
        setImmediate(() => response.end('b'));
      } else {
        request.resume().on('end', () => response.end('c'.repeat(100_000)));
      }
    });
    const requests = [
      requestBytes({ path: '/chunked' }),
      requestBytes({ method: 'POST', path: '/form', headers: { 'content-type': 'text/plain' }, body: 'x=ü' }),
    ];
    await sendLoad({ url, requests, count: 30, connections: 3 });
    expect(Object.fromEntries(seen)).toEqual({ 'GET /chunked': 15, 'POST /form': 15 });
  });

  it('fails when the status is not the expected one', async () => {
    const url = await serve((_, response) => response.writeHead(503).end());
    const requests = [requestBytes({ path: '/' })];
    await expect(sendLoad({ url, requests, count: 5 })).rejects.toThrow('answered 503, not 200');
  });

  it('fails when the server closes the connection', async () => {
    const url = await serve((request) => request.socket.destroy());
    const requests = [requestBytes({ path: '/' })];
    await expect(sendLoad({ url, requests, count: 5, connections: 1 })).rejects.toThrow(/closed|hang up|ECONNRESET/);
  });
});
