import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningService, startService, withoutDatabase } from '../support/start-service.ts';

const REQUESTS = 10_000;
const AT_ONCE = 40;
/** `TEST_SEED=… npx vitest run --project http beans-malformed` does again what a run did. */
const SEED = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);

/** A small generator whose numbers are the same for the same seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = numbersFrom(SEED);
const oneOf = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
const someOf = <T>(most: number, make: () => T): T[] => Array.from({ length: Math.floor(random() * (most + 1)) }, make);
const rubbish = (most = 12) =>
  someOf(most, () => String.fromCharCode(Math.floor(random() * 256)))
    .join('')
    .replace(/[\r\n]/g, '?');

const PIECES = [
  'process',
  'server',
  'constructor',
  '__proto__',
  'toString',
  '..',
  '.',
  '%2e%2e',
  '%2F',
  '%5C',
  '%00',
  '%zz',
  '%',
  '%c3%28',
  '.json',
  '.xml',
  '.json.xml',
  '.JSON',
  '/',
  '//',
  '\\',
  ';a=b',
  '%F0%9F%98%80',
  '%ff',
  'a'.repeat(300),
  '<script>',
  '"',
  "'",
];
const path = () =>
  oneOf([
    () => `/jig/bean/${someOf(5, () => oneOf(PIECES)).join('')}${oneOf(['.json', '.xml', ''])}`,
    () => `/jig/bean/process.json`,
    () => `/jig/bean${someOf(4, () => oneOf(PIECES)).join('')}`,
    () => `/jig/bean/${encodeURIComponent(rubbish())}.json`,
    () => `/jig//bean/../bean/process.json`,
    () => `http://evil.example/jig/bean/process.json`,
  ])();

const PARAMETERS = ['at', 'depth', 'limit', 'pretty', 'AT', '', '__proto__', 'at[]', 'depth[0]'];
const VALUES = [
  '',
  '0',
  '-1',
  '1e9',
  '99999999999999999999',
  'NaN',
  '/a/b',
  '/',
  '/~',
  '~',
  '/%00',
  '%',
  '%zz',
  '1',
  '2',
  'true',
  '/versions/node',
  '/memory/rss',
];
const query = () =>
  someOf(3, () => `${oneOf(PARAMETERS)}${oneOf(['=', '', '=='])}${oneOf(VALUES)}`).join(oneOf(['&', ';', '&&']));

const HEADERS: (() => string)[] = [
  () => `Host: ${oneOf(['evil.example', 'localhost:99999', '[::1', '', 'a b', '127.0.0.1:1:1', '::1', 'localhost'])}`,
  () => `Origin: ${oneOf(['null', 'http://evil.example', 'file://', '', 'http://localhost', 'http://['])}`,
  () => `Sec-Fetch-Site: ${oneOf(['cross-site', 'same-site', 'none', 'x'])}`,
  () => `Authorization: ${oneOf(['Bearer', 'Bearer ', 'Basic !!!', 'Basic Og==', `Bearer ${'x'.repeat(500)}`, 'x'])}`,
  () => `Accept: ${oneOf(['*/*', 'text/html', 'application/xml', ';q', 'a/b;q=2', ',,,', 'text/html;q=nan'])}`,
  () => `Cookie: ${oneOf(['a', 'a=b', '=', `s=${'%'.repeat(50)}`, 'jig=x.y'])}`,
  () => `Content-Length: ${oneOf(['0', '5', '-1', 'x'])}`,
  () => `Transfer-Encoding: ${oneOf(['chunked', 'gzip', 'x'])}`,
  () => `X-Forwarded-For: ${oneOf(['1.2.3.4', ''])}`,
  () => `Range: bytes=0-1`,
  () => `If-None-Match: *`,
  () => `Expect: ${oneOf(['100-continue', 'x'])}`,
  () => `${rubbish(5)}: ${rubbish(20)}`,
];

function malformedRequest(host: string): string {
  const method = oneOf([
    'GET',
    'GET',
    'GET',
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'OPTIONS',
    'TRACE',
    'get',
    'PROPFIND',
    rubbish(4),
  ]);
  const target = `${path()}${oneOf(['', '?', '#'])}${query()}`.replaceAll(' ', oneOf(['+', '%20', ' ']));
  const version = oneOf(['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9', '']);
  const headers = [
    ...(random() < 0.8 ? [`Host: ${host}`] : []),
    ...someOf(3, () => oneOf(HEADERS)()),
    'Connection: close',
  ];
  return `${method} ${target} ${version}\r\n${headers.join('\r\n')}\r\n\r\n`;
}

/** Sends and ends; all that comes back until the server closes. A server that does neither within the time hangs. */
function send(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    let answer = '';
    socket.setEncoding('latin1').setTimeout(60_000, () => {
      answer += '[hangs]';
      socket.destroy();
    });
    socket.on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('end', () => socket.end());
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
    socket.end(text, 'latin1');
  });
}

/** A stack or a path. */
const inside = /node_modules|\.ts:\d|\.js:\d|\n\s+at /;

let service: RunningService;

beforeAll(async () => {
  service = await startService({ environment: { ...withoutDatabase, JIG_SERVER_REQUEST_TIMEOUT: '5s' } });
});

afterAll(() => service.stop());

describe(`10,000 malformed requests (seed ${SEED})`, () => {
  it('get no 5xx, no hanging connection, no stack and no path', async () => {
    const { host } = new URL(service.url);
    const statuses = new Map<string, number>();
    let left = REQUESTS;
    const sender = async () => {
      while (left-- > 0) {
        const text = malformedRequest(host);
        const answer = await send(service.url, text);
        const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'none';
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status.startsWith('5') || answer.includes('[hangs]') || inside.test(answer))
          expect.fail(`${JSON.stringify(text)} got ${answer}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sender));
    expect([...statuses.keys()].filter((status) => status !== 'none')).toEqual(
      expect.arrayContaining(['200', '400', '403', '404', '405']),
    );
    const { connections } = (await (await fetch(`${service.url}/jig/bean/server.json`)).json()) as {
      connections: number;
    };
    expect(connections).toBeLessThan(5);
    expect(service.output()).not.toMatch(/"level":(50|60)/);
  }, 240_000);
});
