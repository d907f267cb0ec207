import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startInProcess, useService } from '../support/in-process.ts';
import { withoutDatabase } from '../support/start-service.ts';
import { choose, cookieOf, sessionOf } from './clock-visitor.ts';

// Form, signature and names of the cookie are tested where it is made, in packages/sessions.

const timeToLive = 20;
const service = useService({ JIG_SESSIONS_TIME_TO_LIVE: `${timeToLive}s`, JIG_SERVER_TRUST_PROXY: 'true' });
const untrusting = useService();

afterEach(() => void vi.useRealTimers());

const random = () => randomBytes(32).toString('base64url');
const german = async () => cookieOf(await choose(service.url, { languageTag: 'de' }));
const page = async (headers: Record<string, string>, query = '') =>
  (await fetch(`${service.url}/clock/time${query}`, { headers })).text();

describe('the session cookie', () => {
  it('has its attributes, those of HTTPS only behind a trusted proxy', async () => {
    const https = { 'x-forwarded-proto': 'https' };
    const attributes = new RegExp(`; Max-Age=${timeToLive}; Path=/; HttpOnly; SameSite=Lax(; Secure)?$`);
    const [plain, secure] = [await choose(service.url, { a: 'b' }), await choose(service.url, { a: 'b' }, https)];
    expect([plain, secure]).toEqual([
      expect.stringMatching(/^jig-session=/),
      expect.stringMatching(/^__Host-jig-session=/),
    ]);
    expect([plain, secure].map((cookie) => attributes.exec(cookie)?.[1] ?? 'none')).toEqual(['none', '; Secure']);
    expect(plain).toMatch(attributes);
    expect(await choose(untrusting.url, { a: 'b' }, https)).toMatch(/^jig-session=/);
  });

  it('contains random bits and nothing about the user, and is in no bean', async () => {
    const cookies = await Promise.all(Array.from({ length: 50 }, german));
    const ids = cookies.map((cookie) => /=([^.]+)\./.exec(cookie)?.[1] ?? '');
    expect(new Set(ids).size).toBe(50);
    for (const id of ids) expect(Buffer.from(id, 'base64url')).toHaveLength(32);
    for (const bean of ['session', 'sessions', 'server', 'configuration', 'process']) {
      const text = await (
        await fetch(`${service.url}/jig/bean/${bean}.json`, { headers: { cookie: cookies[0] ?? '' } })
      ).text();
      expect([bean, text.includes(ids[0] ?? '')]).toEqual([bean, false]);
    }
  });

  it('is sent again when the session is read a while later, and has no effect once it has expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const cookie = await german();
    const again = async () =>
      (await fetch(`${service.url}/clock/time`, { headers: { cookie } })).headers.getSetCookie()[0];
    expect(await again()).toBeUndefined();
    vi.setSystemTime(Date.now() + (timeToLive * 1000) / 2);
    expect(await again()).toContain(cookie);
    vi.setSystemTime(Date.now() + timeToLive * 1000 - 1);
    expect(await page({ cookie })).toContain('<html lang="de');
    vi.setSystemTime(Date.now() + timeToLive * 1000 + 1);
    expect(await page({ cookie })).toContain('<html lang="en');
  });

  it('is not set when a page is read', async () => {
    for (const path of ['/', '/clock/time', '/health', '/jig/bean/session.json', '/nothing'])
      expect([path, (await fetch(service.url + path)).headers.getSetCookie()]).toEqual([path, []]);
  });
});

describe('a session id that this server did not issue', () => {
  it.each([
    ['made up', () => `${random()}.${random()}`],
    ['unsigned', random],
    ['empty', () => ''],
    ['overlong', () => 'x'.repeat(4000)],
    ['a path', () => '../../../etc/passwd'],
  ])('is never accepted: %s', async (_, value) => {
    const planted = value();
    const given = cookieOf(await choose(service.url, { a: 'b' }, { cookie: `jig-session=${planted}` }));
    expect(given).toMatch(/^jig-session=[\w-]{43}\./);
    expect(given).not.toBe(`jig-session=${planted}`);
  });

  it('is accepted neither from the URL, nor with the signature of another, nor beside a valid one', async () => {
    const [own, other] = [await german(), await german()];
    const forged = `jig-session=${random()}.${own.split('.')[1]}`;
    const pages = [
      page({}, `?${own}`),
      page({}, `?;${own}`),
      page({ cookie: forged }),
      page({ cookie: `${own}; ${other}` }),
    ];
    for (const text of await Promise.all(pages)) expect(text).toContain('<html lang="en');
    expect(await page({ cookie: own })).toContain('<html lang="de');
  });
});

describe('a session id that was valid', () => {
  it('is not accepted by a server with another secret', async () => {
    const cookie = await german();
    const other = await startInProcess({ environment: withoutDatabase });
    expect(cookieOf(await choose(other.url, { a: 'b' }, { cookie }))).not.toBe(cookie);
    await other.stop();
  });
});

describe('two visitors', () => {
  it('never see the attributes of each other', async () => {
    const cookies = await Promise.all(['x1', 'x2'].map(async (own) => cookieOf(await choose(service.url, { own }))));
    const [first, second] = await Promise.all(cookies.map((cookie) => sessionOf(service.url, cookie)));
    expect([JSON.stringify(first).includes('x2'), JSON.stringify(second).includes('x1')]).toEqual([false, false]);
  });
});
