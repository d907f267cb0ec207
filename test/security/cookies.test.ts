import { describe, expect, it } from 'vitest';
import { useService } from '../support/in-process.ts';
import { choose, cookieOf } from './clock-visitor.ts';

// Form, signature, names and expiry of the cookie are tested where it is made, in packages/sessions.

const timeToLive = 20;
const service = useService({ JIG_SESSIONS_TIME_TO_LIVE: `${timeToLive}s`, JIG_SERVER_TRUST_PROXY: 'true' });
const untrusting = useService();

const german = async () => cookieOf(await choose(service.url, { languageTag: 'de' }));

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

  it('contains random bits and nothing about the user, and is in no bean or page', async () => {
    const cookies = await Promise.all(Array.from({ length: 50 }, german));
    const ids = cookies.map((cookie) => /=([^.]+)\./.exec(cookie)?.[1] ?? '');
    expect(new Set(ids).size).toBe(50);
    for (const id of ids) expect(Buffer.from(id, 'base64url')).toHaveLength(32);
    const beans = ['session', 'sessions', 'server', 'configuration', 'process'].map((name) => `/jig/bean/${name}.json`);
    for (const path of [...beans, '/clock/time']) {
      const answer = await fetch(service.url + path, { headers: { cookie: cookies[0] ?? '' } });
      expect([path, answer.status, (await answer.text()).includes(ids[0] ?? '')]).toEqual([path, 200, false]);
    }
  });

  it('is not set when a page is read', async () => {
    for (const path of ['/', '/clock/time', '/health', '/jig/bean/session.json', '/nothing'])
      expect([path, (await fetch(service.url + path)).headers.getSetCookie()]).toEqual([path, []]);
  });
});
