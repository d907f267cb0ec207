import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  hostNameOf,
  type InspectionRequest,
  isCrossSite,
  isForThisMachine,
  isFromThisMachine,
  isLoopback,
} from './request-origin.ts';

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly rawHeaders?: readonly string[];
  readonly url?: string;
  readonly host?: string;
  readonly remoteAddress?: string | undefined;
  readonly localAddress?: string | undefined;
  readonly httpVersion?: string;
}

/** What the rules look at; a socket with any address cannot be opened on this machine. */
function sent({
  headers = {},
  rawHeaders,
  url = '/',
  host = '',
  httpVersion = '1.1',
  ...socket
}: Sent): InspectionRequest {
  const raw = { headers, rawHeaders: rawHeaders ?? Object.entries(headers).flat(), httpVersion, socket };
  return { raw: raw as unknown as IncomingMessage, url, prefix: '/jig', host, context: undefined };
}

describe('isLoopback', () => {
  it.each(['127.0.0.1', '127.255.0.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::FFFF:127.1.2.3'])(
    'is true of %s',
    (address) => {
      expect(isLoopback(address)).toBe(true);
    },
  );

  it.each([
    undefined,
    '',
    '10.0.0.1',
    '128.0.0.1',
    '1.127.0.0',
    '127.0.0.1.evil.example',
    'localhost',
    '::2',
    'fe80::1',
    '::ffff:10.0.0.1',
    'x::ffff:127.0.0.1',
    '::ffff:7f00:2:1',
  ])('is false of %s', (address) => {
    expect(isLoopback(address)).toBe(false);
  });
});

describe('hostNameOf', () => {
  it.each([
    ['localhost', 'localhost'],
    ['LocalHost:8080', 'localhost'],
    ['localhost.', 'localhost'],
    ['localhost.:80', 'localhost'],
    ['a.b.example', 'a.b.example'],
    ['[::1]', '::1'],
    ['[::FFFF:1.2.3.4]:65535', '::ffff:1.2.3.4'],
    ['127.0.0.1:1', '127.0.0.1'],
  ])('of %s is %s', (host, name) => expect(hostNameOf(host)).toBe(name));

  it.each([
    undefined,
    '',
    ':80',
    'a b',
    'a:b',
    'a:',
    'a:123456',
    'a:1:2',
    'a@b',
    'a/b',
    'a\\b',
    'a?b',
    'a#b',
    '[a',
    'a]',
    '[]',
    '[g::1]',
    '::1',
    'x[::1]',
    '[::1]x',
    'a ',
    ' a',
  ])('of %s, which is malformed, is undefined', (host) => expect(hostNameOf(host)).toBeUndefined());
});

describe('isCrossSite', () => {
  const host = 'Localhost:8080';

  it.each([
    [{}, false],
    [{ 'sec-fetch-site': 'same-origin' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ 'sec-fetch-site': 'same-site' }, true],
    [{ 'sec-fetch-site': 'cross-site' }, true],
    [{ 'sec-fetch-site': '' }, true],
    [{ 'sec-fetch-site': 'same-origin', origin: 'http://proxied.example' }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: 'http://localhost:8080' }, true],
    [{ origin: 'http://localhost:8080' }, false],
    [{ origin: 'HTTPS://LOCALHOST:8080' }, false],
    [{ origin: 'http://localhost' }, true],
    [{ origin: 'http://localhost:8080/' }, true],
    [{ origin: 'xhttp://localhost:8080' }, true],
    [{ origin: 'ftp://localhost:8080' }, true],
    [{ origin: 'null' }, true],
    [{ origin: '' }, true],
  ] as const)('of a request with %j is %s', (headers, is) => expect(isCrossSite(sent({ headers, host }))).toBe(is));
});

describe('isFromThisMachine', () => {
  it('is true over the loopback, false from elsewhere and when the client has left', () => {
    expect(isFromThisMachine(sent({ remoteAddress: '::ffff:127.0.0.1' }))).toBe(true);
    expect(isFromThisMachine(sent({ remoteAddress: '192.0.2.7' }))).toBe(false);
    expect(isFromThisMachine(sent({ remoteAddress: undefined }))).toBe(false);
  });

  it('is false over the loopback for HTTP/1.0, as nginx speaks it by default', () => {
    for (const [httpVersion, isFrom] of [
      ['1.0', false],
      ['1.1', true],
      ['2.0', true],
    ] as const)
      expect([httpVersion, isFromThisMachine(sent({ remoteAddress: '127.0.0.1', httpVersion }))]).toEqual([
        httpVersion,
        isFrom,
      ]);
  });

  it.each([
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-port',
    'x-forwarded-server',
    'forwarded',
    'via',
    'x-real-ip',
    'x-client-ip',
    'true-client-ip',
    'cf-connecting-ip',
    'x-envoy-external-address',
    'x-amzn-trace-id',
    'x-original-forwarded-for',
    'x-original-host',
    'x-cluster-client-ip',
  ])('is false over the loopback when a proxy added %s, empty or not', (name) => {
    expect(isFromThisMachine(sent({ remoteAddress: '127.0.0.1', headers: { [name]: '' } }))).toBe(false);
  });
});

describe('isForThisMachine', () => {
  const isFor = (request: Sent, ...hosts: string[]) => isForThisMachine(sent(request), new Set(hosts));
  const withHost = (...names: string[]) => ({ rawHeaders: names.flatMap((name) => ['Host', name]) });

  it.each(['localhost', 'app.localhost:3000', '127.0.0.1:80', '[::1]'])('is true of the name %s', (name) => {
    expect(isFor(withHost(name))).toBe(true);
  });

  it.each(['evil.example', 'localhost.evil.example', 'xlocalhost', '.localhostx', '8.8.8.8', 'a b', ''])(
    'is false of the name %s',
    (name) => expect(isFor(withHost(name))).toBe(false),
  );

  it('is true of names that are given, and of the address that the client reached', () => {
    expect(isFor(withHost('Beans.Example:80'), 'beans.example')).toBe(true);
    expect(isFor({ ...withHost('192.0.2.7:80'), localAddress: '::ffff:192.0.2.7' })).toBe(true);
    expect(isFor({ ...withHost('192.0.2.8'), localAddress: '192.0.2.7' })).toBe(false);
    expect(isFor({ ...withHost('192.0.2.7'), localAddress: undefined })).toBe(false);
    expect(isFor({ ...withHost('beans'), localAddress: 'beans' })).toBe(false);
  });

  it('asks for every Host header, that of HTTP/2 and the host in the request line', () => {
    expect(isFor(withHost('localhost', 'evil.example'))).toBe(false);
    expect(isFor(withHost('evil.example', 'localhost'))).toBe(false);
    expect(isFor({ rawHeaders: [':authority', 'evil.example'] })).toBe(false);
    expect(isFor({ rawHeaders: [':authority', 'localhost'] })).toBe(true);
    expect(isFor({ ...withHost('localhost'), url: 'HTTP://evil.example/jig' })).toBe(false);
    expect(isFor({ ...withHost('localhost'), url: 'h2+x.y-1://localhost:80?a' })).toBe(true);
    expect(isFor({ ...withHost('localhost'), url: '/x?http://evil.example' })).toBe(true);
    expect(isFor({ ...withHost('localhost'), url: 'http://localhost#evil' })).toBe(true);
  });

  it('is false without any host, and does not take values or other headers for one', () => {
    expect(isFor({ rawHeaders: [] })).toBe(false);
    expect(isFor({ rawHeaders: ['x-host', 'localhost'] })).toBe(false);
    expect(isFor({ rawHeaders: ['from', 'host', 'localhost', 'from'] })).toBe(false);
    expect(isFor({ rawHeaders: ['HOST', 'localhost', 'from', 'evil.example'] })).toBe(true);
  });
});
