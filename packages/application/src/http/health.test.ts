import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { exchange } from '../../../../test/support/exchange.ts';
import { type HealthCheck, type HealthSettings, livenessRoute, readinessRoute } from './health.ts';

const details = { pid: 4711, address: 'database.internal:5432' };
const ready: HealthCheck = () => ({ ok: true, state: 'ready', details });
const down: HealthCheck = () => ({ ok: false, state: 'restarting', details });
const silent: HealthCheck = () => new Promise(() => {});

function serverWith(check: HealthCheck, shown: HealthSettings['details'] = 'loopback', trustProxy = false) {
  const server = Fastify({ trustProxy });
  const settings = { details: shown, path: '/health' };
  server.register(readinessRoute(() => new Map([['database', check]]), settings));
  server.register(livenessRoute(settings));
  return server;
}

/** What /health tells a client on this machine, unless it says otherwise. */
async function told(server: ReturnType<typeof serverWith>, headers = {}, remoteAddress = '127.0.0.1') {
  const answer = await server.inject({
    url: '/health',
    headers: { host: 'localhost:8080', ...headers },
    remoteAddress,
  });
  return answer.json();
}

const withDetails = { status: 'ok', parts: { database: { ok: true, state: 'ready', details } } };
const withoutDetails = { status: 'ok', parts: { database: { ok: true, state: 'ready' } } };

describe('GET /health with health.details=loopback', () => {
  it.each([
    ['localhost', '127.0.0.1'],
    ['127.0.0.1:8080', '127.0.0.1'],
    ['[::1]:8080', '::1'],
    ['localhost', '::ffff:127.0.0.1'],
  ])('shows details to a client that comes to %s from %s', async (host, address) => {
    expect(await told(serverWith(ready), { host }, address)).toEqual(withDetails);
  });

  it.each(['10.0.0.1', '::ffff:10.0.0.1', '2001:db8::1'])('shows none to a client at %s', async (address) => {
    expect(await told(serverWith(ready), {}, address)).toEqual(withoutDetails);
  });

  it.each([
    ['x-forwarded-for', '203.0.113.7'],
    ['x-forwarded-for', '127.0.0.1'],
    ['x-forwarded-for', ''],
    ['x-forwarded-proto', 'https'],
    ['forwarded', 'for=127.0.0.1'],
    ['x-real-ip', '127.0.0.1'],
    ['via', '1.1 proxy'],
    ['x-forwarded-port', '443'],
    ['x-forwarded-server', 'proxy'],
    ['x-client-ip', '203.0.113.7'],
    ['true-client-ip', '203.0.113.7'],
    ['cf-connecting-ip', '203.0.113.7'],
    ['x-envoy-external-address', '203.0.113.7'],
    ['x-amzn-trace-id', 'Root=1-2-3'],
    ['x-original-forwarded-for', '203.0.113.7'],
    ['x-original-host', 'a.example'],
    ['x-cluster-client-ip', '203.0.113.7'],
  ])(
    'shows none through a proxy on this machine that sends %s: %j, whether it is trusted or not',
    async (...header) => {
      const headers = Object.fromEntries([header]);
      expect(await told(serverWith(ready), headers)).toEqual(withoutDetails);
      expect(await told(serverWith(ready, 'loopback', true), headers)).toEqual(withoutDetails);
    },
  );

  it('shows none to a client of HTTP/1.0, which nginx is by default', async () => {
    const server = serverWith(ready);
    try {
      const url = await server.listen({ port: 0, host: '127.0.0.1' });
      for (const [version, expected] of [
        ['1.0', withoutDetails],
        ['1.1', withDetails],
      ] as const) {
        const head = `GET /health HTTP/${version}\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
        expect([version, JSON.parse((await exchange(url, head)).body)]).toEqual([version, expected]);
      }
    } finally {
      await server.close();
    }
  });

  it.each(['rebound.example', 'rebound.example:8080', 'localhost.example'])(
    'shows none to a page whose name %j was made to point to this machine',
    async (host) => expect(await told(serverWith(ready), { host })).toEqual(withoutDetails),
  );
});

describe('GET /health', () => {
  it('shows details to nobody with health.details=never', async () => {
    expect(await told(serverWith(ready, 'never'))).toEqual(withoutDetails);
  });

  it('shows details to everybody with health.details=always', async () => {
    const headers = { host: 'service.example', 'x-forwarded-for': '203.0.113.7' };
    expect(await told(serverWith(ready, 'always'), headers, '10.0.0.1')).toEqual(withDetails);
  });

  it('shows the state of a part that is down also without details', async () => {
    expect(await told(serverWith(down, 'never'))).toEqual({
      status: 'unavailable',
      parts: { database: { ok: false, state: 'restarting' } },
    });
  });
});

describe('GET /health/live', () => {
  it.each([
    ['is well', ready, 200],
    ['is down', down, 503],
    ['does not answer', silent, 503],
  ])('is 200 while a part %s', async (_how, check, readiness) => {
    const server = serverWith(check);
    const [live, head, ready] = await Promise.all([
      server.inject('/health/live'),
      server.inject({ method: 'HEAD', url: '/health/live' }),
      server.inject('/health'),
    ]);
    expect([live.statusCode, live.json(), live.headers['cache-control']]).toEqual([200, { status: 'ok' }, 'no-store']);
    expect([head.statusCode, head.body, head.headers['content-type']]).toEqual([200, '', 'application/json']);
    expect(ready.statusCode).toBe(readiness);
  });
});
