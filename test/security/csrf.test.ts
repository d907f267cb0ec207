import { beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/exchange.ts';
import { useService } from '../support/in-process.ts';
import { choose, cookieOf, sessionOf } from './clock-visitor.ts';

const service = useService();
let own: string;

beforeAll(async () => {
  own = new URL(service.url).host;
});

async function post(headers: Record<string, string>) {
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '16' };
  return request(service.url, 'POST /clock/time', { ...form, ...headers }, 'zoneID=Etc/GMT+1');
}

describe('a form from another site', () => {
  it.each([
    ['a browser says so', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbouring site', { 'sec-fetch-site': 'same-site' }],
    ['a browser that says only the origin', { origin: 'https://elsewhere.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a page without an origin', { origin: 'null' }],
    ['a name that begins like ours', { origin: 'http://127.0.0.1.elsewhere.example' }],
    ['a site that claims our origin too', { 'sec-fetch-site': 'cross-site', origin: 'http://OWN' }],
  ])('is refused and creates no session: %s', async (_, headers) => {
    const filled = Object.entries(headers).map(([name, value]) => [name, value.replace('OWN', own)]);
    const answer = await post(Object.fromEntries(filled));
    expect(answer.status).toBe(403);
    expect(answer.headers.get('set-cookie')).toBeUndefined();
  });

  it('is refused before its body is read, even if the body never comes', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '16' };
    const headers = { ...form, connection: 'keep-alive', 'sec-fetch-site': 'cross-site' };
    const answer = await request(service.url, 'POST /clock/time', headers);
    expect([answer.status, answer.headers.get('connection')]).toEqual([403, 'close']);
  });

  it('does not change the session of the visitor', async () => {
    const cookie = cookieOf(await choose(service.url, { zoneID: 'Asia/Kolkata' }));
    expect((await post({ cookie, origin: 'https://elsewhere.example' })).status).toBe(403);
    expect(JSON.stringify(await sessionOf(service.url, cookie))).toContain('Asia/Kolkata');
  });
});

describe('a form of the page itself', () => {
  it.each([
    ['a program', {}],
    ['a browser', { 'sec-fetch-site': 'same-origin', origin: 'http://OWN' }],
    ['an older browser', { origin: 'http://OWN' }],
    ['a person who reloads', { 'sec-fetch-site': 'none' }],
  ])('is accepted: %s', async (_, headers) => {
    const filled = Object.entries(headers).map(([name, value]) => [name, value.replace('OWN', own)]);
    expect((await post(Object.fromEntries(filled))).status).toBe(302);
  });
});

describe('a GET request', () => {
  it('changes nothing, with any query', async () => {
    const cookie = cookieOf(await choose(service.url, { zoneID: 'Asia/Kolkata' }));
    const before = await sessionOf(service.url, cookie);
    for (const method of ['GET', 'HEAD']) {
      await fetch(`${service.url}/clock/time?zoneID=GMT&languageTag=de&_method=POST`, {
        method,
        headers: { cookie, 'x-http-method-override': 'POST' },
      });
    }
    const after = await sessionOf(service.url, cookie);
    expect({ ...after, expires: 0, lastAccessed: 0 }).toEqual({ ...before, expires: 0, lastAccessed: 0 });
  });
});
