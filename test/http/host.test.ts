import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { exchange, request } from '../support/exchange.ts';
import { useService } from '../support/in-process.ts';

const service = useService({
  JIG_SERVER_HEADERS_TIMEOUT: '1s',
  JIG_SERVER_REQUEST_TIMEOUT: '2s',
  JIG_SERVER_IDLE_TIMEOUT: '3s',
});

const problem = (status: number) => ({
  type: 'about:blank',
  status,
  title: expect.any(String),
  detail: expect.any(String),
});

describe('errors', () => {
  it.each([
    ['GET /nothing/here', 404, {}],
    ['GET /%zz', 400, {}],
    ['GET /%', 400, {}],
    ['GET /health%ff', 400, {}],
    ['POST /health', 405, { 'content-length': '0' }],
    ['POST /health;x', 404, { 'content-length': '0' }],
    ['DELETE /health', 405, {}],
    ['OPTIONS /', 405, {}],
    ['PROPFIND /health', 405, {}],
  ])('%s is %i as problem details', async (line, status, headers) => {
    const answer = await request(service.url, line, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(JSON.parse(answer.body)).toEqual(problem(status));
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each([
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['*/*', 'application/problem+json'],
  ])('have the media type that a client prefers: %s', async (accept, type) => {
    const answer = await fetch(`${service.url}/nothing`, { headers: { accept } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, type]);
    expect((await answer.text()).includes('<h1>Not found</h1>')).toBe(type.startsWith('text/html'));
  });

  it.each([
    ['GET /nothing.xml', 404, 'application/problem+xml'],
    ['GET /nothing.xml?a=b.json', 404, 'application/problem+xml'],
    ['GET /nothing.json?a=.xml', 404, 'application/problem+json'],
    ['GET /%zz.xml', 400, 'application/problem+xml'],
    ['PUT /jig/bean/process.xml', 405, 'application/problem+xml'],
    ['GET /nothing?a=.xml', 404, 'text/html; charset=utf-8'],
    ['GET /nothing.xml.txt', 404, 'text/html; charset=utf-8'],
  ])('have the media type of the extension in the address, also in a browser: %s', async (line, status, type) => {
    const answer = await request(service.url, line, { accept: 'text/html,*/*;q=0.8', 'content-length': '0' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, type]);
  });

  it.each([
    ['QUERY', {}],
    ['POST', { 'content-type': 'rubbish', 'content-length': '0' }],
  ])('answers so before it checks the content type: %s %o', async (method, headers) => {
    const wrongMethod = await request(service.url, `${method} /jig/bean/process.json`, headers);
    expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('are 431 for a head that is too long', async () => {
    const answer = await request(service.url, 'GET /health', { long: 'x'.repeat(100_000) });
    expect(answer.status).toBe(431);
  });

  it.each([
    ['GET /', 'GET / HTTP/1.0\r\n\r\n', 200],
    ['GET of a bean', 'GET /jig/bean/process.json HTTP/1.0\r\n\r\n', 403],
    ['POST from a page', 'POST /clock/time HTTP/1.0\r\nOrigin: http://a\r\nContent-Length: 0\r\n\r\n', 403],
    ['TRACE, which returns nothing', 'TRACE / HTTP/1.1\r\nHost: a\r\nX-Own: zz\r\nConnection: close\r\n\r\n', 405],
  ])('accept a request without a required Host: %s', async (_, bytes, status) => {
    const answer = await exchange(service.url, bytes);
    expect([answer.status, answer.raw.includes('zz')]).toEqual([status, false]);
  });

  it('contain no input, stack or path', async () => {
    const probe = 'zzprobe"<script>';
    const answers = await Promise.all([
      request(service.url, `GET /${encodeURIComponent(probe)}`),
      request(service.url, 'GET /zzprobe%zz'),
      request(service.url, 'ZZPROBE /'),
      request(service.url, 'GET /', { zzprobe: 'x'.repeat(100_000) }),
    ]);
    for (const { raw } of answers) expect(raw).not.toMatch(/zzprobe|node_modules|\.[jt]s\b|\bat .*:\d/i);
  });
});

describe('slow clients', () => {
  const closedAfter = (bytes: string) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(service.url);
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('close', () => resolve(answer));
      socket.setTimeout(15_000, () => reject(new Error('still open')));
    });

  it('get 408 when their headers do not end', async () => {
    expect(await closedAfter('GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ')).toMatch(/^HTTP\/1.1 408 /);
  });

  it('are disconnected when their body does not arrive', async () => {
    const answer = await closedAfter('POST /health HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nab');
    expect(answer).toMatch(/^(HTTP\/1.1 4\d\d |$)/);
  });

  it('are disconnected when they are idle', async () => {
    expect(await closedAfter('GET /health HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('every application', () => {
  it('reports its health at /health', async () => {
    const answer = await fetch(`${service.url}/health`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toMatchObject({ status: 'ok', parts: {} });
  });

  it('shows a page at / with links to its parts', async () => {
    const answer = await fetch(service.url);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const links = [...(await answer.text()).matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path);
    for (const path of links) expect((await fetch(service.url + path)).status, path).toBe(200);
  });

  it('ignores a slash at the end of a path', async () => {
    expect((await fetch(`${service.url}/health/`)).status).toBe(200);
  });
});
