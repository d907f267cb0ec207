import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { type HealthCheck, livenessRoute, readinessRoute } from './health.ts';

const details = { pid: 4711, address: 'database.internal:5432' };
const ready: HealthCheck = () => ({ ok: true, state: 'ready', details });
const down: HealthCheck = () => ({ ok: false, state: 'restarting', details });
const silent: HealthCheck = () => new Promise(() => {});

function serverWith(check: HealthCheck, trustProxy = false) {
  const server = Fastify({ trustProxy });
  server.register(readinessRoute(() => new Map([['database', check]])));
  server.register(livenessRoute);
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

// Who counts as on this machine is tested in packages/http.
describe('GET /health', () => {
  it('shows details to a client on this machine', async () => {
    expect(await told(serverWith(ready))).toEqual(withDetails);
  });

  it.each<[string, Record<string, string>, string?]>([
    ['elsewhere', {}, '10.0.0.1'],
    ['behind a proxy on this machine', { 'x-forwarded-for': '127.0.0.1' }],
    ['whose page has a name that was made to point to this machine', { host: 'rebound.example:8080' }],
  ])('shows none to a client %s, whether proxies are trusted or not', async (_where, headers, address) => {
    expect(await told(serverWith(ready), headers, address)).toEqual(withoutDetails);
    expect(await told(serverWith(ready, true), headers, address)).toEqual(withoutDetails);
  });

  it('shows the state of a part that is down also without details', async () => {
    expect(await told(serverWith(down), {}, '10.0.0.1')).toEqual({
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
