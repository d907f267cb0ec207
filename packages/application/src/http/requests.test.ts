import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { isCrossSite, isLoopback } from './requests.ts';

async function answer(headers: Record<string, string>, trustProxy = false): Promise<boolean> {
  const server = fastify({ trustProxy });
  server.get('/', async (request) => isCrossSite(request));
  return (await server.inject({ url: '/', headers: { host: 'own.example:8080', ...headers } })).json();
}

describe('isCrossSite', () => {
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
    { origin: 'http://own.example:8080.elsewhere.example' },
    { origin: 'file://own.example:8080' },
    { origin: 'null' },
    { origin: '' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://own.example:8080' },
    { 'sec-fetch-site': 'same-origin, cross-site' },
    { origin: 'https://public.example', 'x-forwarded-host': 'public.example' },
  ])('is true for %j', async (headers) => {
    expect(await answer(headers)).toBe(true);
  });

  it('compares the origin with the host that a trusted proxy names', async () => {
    const headers = { 'x-forwarded-host': 'public.example' };
    expect(await answer({ ...headers, origin: 'https://public.example' }, true)).toBe(false);
    expect(await answer({ ...headers, origin: 'http://own.example:8080' }, true)).toBe(true);
  });
});

describe('isLoopback', () => {
  it.each([
    '127.0.0.1',
    '127.255.1.2',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::FFFF:127.9.9.9',
    '::ffff:7f00:1',
  ])('knows %s', (address) => expect(isLoopback(address)).toBe(true));

  it.each([
    undefined,
    '',
    '128.0.0.1',
    '10.127.0.1',
    '::2',
    '::ffff:10.0.0.1',
    '127.1',
    '127.evil.example',
    '0x7f.0.0.1',
  ])('does not take %s for one', (address) => expect(isLoopback(address)).toBe(false));
});
