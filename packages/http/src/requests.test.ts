import type { IncomingMessage } from 'node:http';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { hostNameOf, isCrossSite, isForThisMachine, isFromThisMachine, isLoopback, pathOf } from './requests.ts';

describe('pathOf', () => {
  it.each([
    ['/a/b', '/a/b'],
    ['/a?b=/c?d', '/a'],
    ['/a#b?c', '/a'],
    ['?a', ''],
    ['', ''],
  ])('of %j is %j', (url, path) => expect(pathOf(url)).toBe(path));
});

describe('isCrossSite', () => {
  async function answer(headers: Record<string, string>, trustProxy = false): Promise<boolean> {
    const server = fastify({ trustProxy });
    server.get('/', async (request) => isCrossSite(request));
    return (await server.inject({ url: '/', headers: { host: 'own.example:8080', ...headers } })).json();
  }

  it.each<Record<string, string>>([
    {},
    { origin: 'http://own.example:8080' },
    { origin: 'HTTPS://OWN.example:8080' },
    { host: 'OWN.example', origin: 'https://own.example' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin', host: 'behind-a-proxy', origin: 'https://own.example' },
  ])('is false for %j', async (headers) => {
    expect(await answer(headers)).toBe(false);
  });

  it.each<Record<string, string>>([
    { origin: 'http://elsewhere.example' },
    { origin: 'http://own.example' },
    { origin: 'http://own.example:8080/' },
    { origin: 'http://own.example:8080.elsewhere.example' },
    { origin: 'file://own.example:8080' },
    { origin: 'ftp://own.example:8080' },
    { origin: 'xhttp://own.example:8080' },
    { origin: 'null' },
    { origin: '' },
    { 'sec-fetch-site': '' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://own.example:8080' },
    { 'sec-fetch-site': 'same-origin, cross-site' },
    { origin: 'https://public.example', 'x-forwarded-host': 'public.example' },
  ])('is true for %j', async (headers) => {
    expect(await answer(headers)).toBe(true);
  });

  it('compares the origin with the host from a trusted proxy', async () => {
    const headers = { 'x-forwarded-host': 'public.example' };
    expect(await answer({ ...headers, origin: 'https://public.example' }, true)).toBe(false);
    expect(await answer({ ...headers, origin: 'http://own.example:8080' }, true)).toBe(true);
  });
});

describe('isLoopback', () => {
  it.each(['127.0.0.1', '127.255.1.2', '::1', '::ffff:127.0.0.1', '::FFFF:127.9.9.9'])('knows %s', (address) =>
    expect(isLoopback(address)).toBe(true),
  );

  it.each([
    undefined,
    '',
    '128.0.0.1',
    '1.127.0.0',
    '10.127.0.1',
    '::2',
    'fe80::1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:2:1',
    'x::ffff:127.0.0.1',
    '127.1',
    '127.evil.example',
    '127.0.0.1.evil.example',
    '0x7f.0.0.1',
    'localhost',
  ])('does not match %s', (address) => expect(isLoopback(address)).toBe(false));
});

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly rawHeaders?: readonly string[];
  readonly remoteAddress?: string | undefined;
  readonly localAddress?: string | undefined;
  readonly httpVersion?: string;
}

/** What the rules look at; a socket with any address cannot be opened on this machine. */
function sent({ headers = {}, rawHeaders = [], httpVersion = '1.1', ...socket }: Sent): IncomingMessage {
  return { headers, rawHeaders, httpVersion, socket } as unknown as IncomingMessage;
}

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

describe('isFromThisMachine', () => {
  it('is true over the loopback, false from elsewhere and for a disconnected client', () => {
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
    'forwarded',
    'via',
    'x-real-ip',
    'true-client-ip',
    'cf-connecting-ip',
  ])('is false over the loopback when a proxy added %s, empty or not', (name) => {
    expect(isFromThisMachine(sent({ remoteAddress: '127.0.0.1', headers: { [name]: '' } }))).toBe(false);
  });
});

describe('isForThisMachine', () => {
  const isFor = ({ url = '/', ...request }: Sent & { readonly url?: string }, ...hosts: string[]) =>
    isForThisMachine(sent(request), url, new Set(hosts));
  const withHost = (...names: string[]) => ({ rawHeaders: names.flatMap((name) => ['Host', name]) });

  it.each(['localhost', 'app.localhost:3000', '127.0.0.1:80', '[::1]'])('is true of the name %s', (name) => {
    expect(isFor(withHost(name))).toBe(true);
  });

  it.each(['evil.example', 'localhost.evil.example', 'xlocalhost', '.localhostx', '8.8.8.8', 'a b', ''])(
    'is false of the name %s',
    (name) => expect(isFor(withHost(name))).toBe(false),
  );

  it('is true of configured names, and of the address that the client reached', () => {
    expect(isFor(withHost('Beans.Example:80'), 'beans.example')).toBe(true);
    expect(isFor({ ...withHost('192.0.2.7:80'), localAddress: '::ffff:192.0.2.7' })).toBe(true);
    expect(isFor({ ...withHost('192.0.2.8'), localAddress: '192.0.2.7' })).toBe(false);
    expect(isFor({ ...withHost('192.0.2.7'), localAddress: undefined })).toBe(false);
    expect(isFor({ ...withHost('beans'), localAddress: 'beans' })).toBe(false);
  });

  it('checks every Host header, :authority of HTTP/2 and the host in the request line', () => {
    expect(isFor(withHost('localhost', 'evil.example'))).toBe(false);
    expect(isFor(withHost('evil.example', 'localhost'))).toBe(false);
    expect(isFor({ rawHeaders: [':authority', 'evil.example'] })).toBe(false);
    expect(isFor({ rawHeaders: [':authority', 'localhost'] })).toBe(true);
    expect(isFor({ rawHeaders: [':authority', 'evil.example', 'Host', 'localhost'] })).toBe(false);
    expect(isFor({ ...withHost('localhost'), url: 'HTTP://evil.example/jig' })).toBe(false);
    expect(isFor({ ...withHost('localhost'), url: 'h2+x.y-1://localhost:80?a' })).toBe(true);
    expect(isFor({ ...withHost('localhost'), url: '/x?http://evil.example' })).toBe(true);
    expect(isFor({ ...withHost('localhost'), url: 'http://localhost#evil' })).toBe(true);
  });

  it('is false without a host, and does not treat other headers as one', () => {
    expect(isFor({ rawHeaders: [] })).toBe(false);
    expect(isFor({ rawHeaders: ['x-host', 'localhost'] })).toBe(false);
    expect(isFor({ rawHeaders: ['from', 'host', 'localhost', 'from'] })).toBe(false);
    expect(isFor({ rawHeaders: ['HOST', 'localhost', 'from', 'evil.example'] })).toBe(true);
  });
});
