import { afterEach, describe, expect, it, vi } from 'vitest';
import { useService } from '../support/in-process.ts';
import { choose, cookieOf } from './clock-visitor.ts';

const timeToLive = 20;
const environment = { JIG_SESSIONS_TIME_TO_LIVE: `${timeToLive}s` };
const direct = useService(environment);
const behindProxy = useService({ ...environment, JIG_SERVER_TRUST_PROXY: 'true' });

afterEach(() => void vi.useRealTimers());

const https = { 'x-forwarded-proto': 'https' };

/** A Set-Cookie header in parts, the names of attributes in lower case. */
function parts(cookie: string) {
  const [pair = '', ...attributes] = cookie.split('; ');
  const [name = '', value = ''] = pair.split('=');
  return { name, value, attributes: attributes.map((attribute) => attribute.toLowerCase()).sort() };
}

describe('the session cookie', () => {
  it('is HttpOnly, Lax, of this host and for the whole site, and lives as long as the session', async () => {
    const { name, attributes } = parts(await choose(direct.url, { a: 'b' }));
    expect(name).toBe('jig-session');
    expect(attributes).toEqual(['httponly', `max-age=${timeToLive}`, 'path=/', 'samesite=lax']);
  });

  it('is Secure and __Host- behind a proxy that is trusted', async () => {
    const { name, attributes } = parts(await choose(behindProxy.url, { a: 'b' }, https));
    expect(name).toBe('__Host-jig-session');
    expect(attributes).toEqual(['httponly', `max-age=${timeToLive}`, 'path=/', 'samesite=lax', 'secure']);
  });

  it('ignores X-Forwarded-Proto from a client that is not trusted', async () => {
    expect(parts(await choose(direct.url, { a: 'b' }, https)).name).toBe('jig-session');
  });

  it('is accepted over HTTPS only under its __Host- name', async () => {
    const planted = parts(await choose(behindProxy.url, { languageTag: 'de' }));
    const read = async (cookie: string) =>
      (await fetch(`${behindProxy.url}/clock/time`, { headers: { ...https, cookie } })).text();
    expect(await read(`jig-session=${planted.value}`)).toContain('<html lang="en');
    expect(await read(`__Host-jig-session=${planted.value}`)).toContain('<html lang="de"');
  });

  it('contains 256 random bits and nothing about the user', async () => {
    const values = await Promise.all(
      Array.from({ length: 50 }, async () => parts(await choose(direct.url, { zoneID: 'Asia/Kolkata' })).value),
    );
    const ids = values.map((value) => value.split('.')[0] ?? '');
    expect(new Set(ids).size).toBe(50);
    for (const id of ids) {
      expect(Buffer.from(id, 'base64url')).toHaveLength(32);
      expect(Buffer.from(id, 'base64url').toString('latin1')).not.toMatch(/Kolkata/);
    }
  });

  it('is sent again with the same ID when the session is read a while later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const cookie = cookieOf(await choose(direct.url, { a: 'b' }));
    const again = async () =>
      (await fetch(`${direct.url}/clock/time`, { headers: { cookie } })).headers.getSetCookie()[0];
    expect(await again()).toBeUndefined();
    vi.setSystemTime(Date.now() + (timeToLive * 1000) / 2);
    expect(await again()).toContain(cookie);
  });

  it('has no effect once its session has expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const cookie = cookieOf(await choose(direct.url, { languageTag: 'de' }));
    const page = async () => (await fetch(`${direct.url}/clock/time`, { headers: { cookie } })).text();
    vi.setSystemTime(Date.now() + timeToLive * 1000 - 1);
    expect(await page()).toContain('<html lang="de');
    vi.setSystemTime(Date.now() + timeToLive * 1000 + 1);
    expect(await page()).toContain('<html lang="en');
  });

  it('is not set when a page is read', async () => {
    for (const path of ['/', '/clock/time', '/health', '/jig/bean/session.json', '/nothing']) {
      expect([path, (await fetch(direct.url + path)).headers.getSetCookie()]).toEqual([path, []]);
    }
  });

  it('is not contained in any bean', async () => {
    const cookie = cookieOf(await choose(direct.url, { a: 'b' }));
    const [, id = ''] = /=([^.]+)\./.exec(cookie) ?? [];
    for (const bean of ['session', 'sessions', 'server', 'configuration', 'process']) {
      const text = await (await fetch(`${direct.url}/jig/bean/${bean}.json`, { headers: { cookie } })).text();
      expect([bean, text.includes(id)]).toEqual([bean, false]);
    }
  });
});
