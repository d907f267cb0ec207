import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, request } from '../support/exchange.ts';
import { listBeans } from '../support/list-beans.ts';
import { type RunningService, startService, withoutDatabase } from '../support/start-service.ts';

let service: RunningService;

beforeAll(async () => {
  service = await startService({ environment: withoutDatabase });
});

afterAll(() => service.stop());

const get = (path: string, headers: Record<string, string> = {}) => request(service.url, `GET ${path}`, headers);

describe('who may look', () => {
  const path = '/jig/bean/process.json';

  it('is not a page of another site, nor a name that is not this machine’s', async () => {
    const refused: Record<string, string>[] = [
      { host: 'evil.example' },
      { host: '127.0.0.1.evil.example' },
      { host: 'localhost.evil.example' },
      { host: '' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { referer: 'http://evil.example/', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    ];
    for (const headers of refused) {
      for (const spelling of [path, '/jig/bean/%70rocess.json', '/jig/bean', '/jig/bean/nothing.xml']) {
        const answer = await get(spelling, headers);
        expect([headers, spelling, answer.status]).toEqual([headers, spelling, 403]);
        expect(answer.body).toMatch(/detail/);
        expect(answer.body).not.toContain('evil');
      }
    }
    const absolute = await request(service.url, 'GET http://evil.example/jig/bean/process.json');
    expect(absolute.status).toBe(403);
    const { host } = new URL(service.url);
    const twice = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nhost: evil.example\r\nconnection: close\r\n\r\n`;
    expect((await exchange(service.url, twice)).status).toBe(400);
  });

  it('is nobody behind a proxy on this machine, whatever the proxy says', async () => {
    const said: Record<string, string>[] = [
      { 'x-forwarded-for': '203.0.113.9' },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-for': '' },
      { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' },
      { forwarded: 'for=203.0.113.9' },
      { forwarded: 'for=127.0.0.1;proto=https' },
      { 'x-real-ip': '203.0.113.9' },
      { 'x-forwarded-host': 'localhost' },
      { via: '1.1 proxy' },
      { 'x-forwarded-proto': 'https' },
    ];
    for (const headers of said) expect([headers, (await get(path, headers)).status]).toEqual([headers, 403]);
    const trusting = await startService({ environment: { ...withoutDatabase, JIG_SERVER_TRUST_PROXY: 'true' } });
    try {
      for (const headers of said) {
        const answer = await request(trusting.url, `GET ${path}`, headers);
        expect(['trusting', headers, answer.status]).toEqual(['trusting', headers, 403]);
      }
    } finally {
      await trusting.stop();
    }
  });

  it('is whoever has the token, where there is one', async () => {
    const token = 'open-sesame-57';
    const environment = { ...withoutDatabase, JIG_BEAN_INSPECTION_TOKEN: token, NODE_ENV: 'test' };
    const guarded = await startService({ environment });
    try {
      const status = async (headers: Record<string, string>) =>
        (await request(guarded.url, `GET ${path}`, headers)).status;
      const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
      const refused = [
        '',
        'Bearer',
        `Bearer ${token}x`,
        `Bearer ${token.slice(1)}`,
        basic(token),
        basic(`${token}:`),
        token,
        'Basic !!',
      ];
      for (const authorization of refused)
        expect([authorization, await status({ authorization })]).toEqual([authorization, 401]);
      expect(await status({})).toBe(401);
      for (const authorization of [`Bearer ${token}`, `bearer ${token}`, basic(`me:${token}`), basic(`:${token}`)])
        expect([authorization, await status({ authorization })]).toEqual([authorization, 200]);
      expect(await status({ authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.9' })).toBe(200);
      expect(await status({ authorization: `Bearer ${token}`, origin: 'http://evil.example' })).toBe(403);
      const answer = await request(guarded.url, `GET ${path}`);
      expect(answer.headers.get('www-authenticate')).toMatch(/Bearer/);
      expect((await request(guarded.url, `GET ${path}?token=${token}`)).status).toBe(401);
    } finally {
      await guarded.stop();
    }
  });

  it('is nobody in production, unless it is switched on', async () => {
    const environment = { ...withoutDatabase, NODE_ENV: 'production' };
    const off = await startService({ environment });
    expect((await fetch(`${off.url}${path}`)).status).toBe(404);
    expect((await fetch(`${off.url}/clock/time`)).status).toBe(200);
    await off.stop();
    const on = await startService({ environment: { ...environment, JIG_BEAN_INSPECTION_ENABLED: 'true' } });
    expect((await fetch(`${on.url}${path}`)).status).toBe(200);
    await on.stop();
  });

  it('is told which beans are open', async () => {
    const environment = {
      ...withoutDatabase,
      JIG_BEAN_INSPECTION_ALLOW: 'clock*,process',
      JIG_BEAN_INSPECTION_DENY: 'clock',
    };
    const some = await startService({ environment });
    const status = async (name: string) => (await fetch(`${some.url}/jig/bean/${name}.json`)).status;
    expect([await status('process'), await status('clock'), await status('session')]).toEqual([200, 403, 403]);
    expect((await listBeans(some.url)).map(({ name }) => name)).not.toContain('clock');
    await some.stop();
  });
});

describe('secrets', () => {
  it('that the process was given are in no bean, in no form', async () => {
    const planted = {
      JIG_SESSIONS_SECRET: 'planted-session-secret-0123456789abcdef',
      JIG_SESSIONS_PREVIOUS_SECRETS: 'planted-previous-secret-0123456789abcdef',
      AWS_SECRET_ACCESS_KEY: 'planted-aws-key',
      DATABASE_PASSWORD: 'planted-database-password',
      API_TOKEN: 'planted-api-token',
      MY_SETTING: 'https://user:planted-in-url@example.org/',
      HARMLESS_LOOKING: 'planted-harmless',
    };
    const environment = { ...withoutDatabase, ...planted, JIG_BEAN_INSPECTION_TOKEN: 'planted-token' };
    const flags = ['--beanInspection.token', 'planted-flag-token'];
    const full = await startService({ environment, flags, nodeFlags: ['--title=planted-title'] });
    const headers = { authorization: 'Bearer planted-flag-token' };
    try {
      const made = await fetch(`${full.url}/clock/time`, {
        method: 'POST',
        body: new URLSearchParams({ a: '1' }),
        redirect: 'manual',
      });
      const cookie = made.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const beans = await listBeans(full.url, headers);
      expect(beans.length).toBeGreaterThan(10);
      for (const { links } of beans) {
        for (const link of [links.json, links.xml]) {
          const text = await (await fetch(`${full.url}${link}`, { headers: { ...headers, cookie } })).text();
          expect(text.replaceAll('planted-title', '')).not.toMatch(/planted/);
          expect(text).not.toContain(cookie.split('=')[1]?.split('.')[0]);
        }
      }
      expect(full.output()).not.toMatch(/planted-(?!title)/);
    } finally {
      await full.stop();
    }
  });
});
