import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { request } from '../support/exchange.ts';
import { beanStatuses, useInspectedApplication } from '../support/inspected-application.ts';

const { start, fail } = useInspectedApplication();
const processBean = 'GET /jig/bean/process.json';
const token = 'correct-horse-battery-staple';
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('with beanInspection.token, bean inspection', () => {
  it('is 401 for every request without the token, on every path, and says how to send it', async () => {
    const { url } = await start({ JIG_BEAN_INSPECTION_TOKEN: token });
    const wrong = ['', 'Bearer', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, token, `Digest ${token}`];
    const wrongBasic = [basic(token), basic(`${token}:`), basic('me:wrong'), basic('rubbish'), 'Basic !!'];
    expect(await beanStatuses(url)).toEqual(new Set([401]));
    for (const authorization of [...wrong, ...wrongBasic]) {
      const statuses = await beanStatuses(url, { authorization });
      expect([authorization, statuses]).toEqual([authorization, new Set([401])]);
    }
    const answer = await request(url, processBean);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic .*Bearer /);
    expect(answer.body).toContain('beanInspection.token');
    expect((await request(url, `${processBean}?token=${token}`)).status).toBe(401);
  });

  it('accepts the token as Bearer or as the password of Basic, also through a proxy', async () => {
    const { url } = await start({ JIG_BEAN_INSPECTION_TOKEN: token });
    for (const authorization of [`Bearer ${token}`, `bearer ${token}`, basic(`me:${token}`), basic(`:${token}`)]) {
      expect([authorization, (await request(url, processBean, { authorization })).status]).toEqual([
        authorization,
        200,
      ]);
    }
    const forwarded = { authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.9' };
    expect((await request(url, processBean, forwarded)).status).toBe(200);
  });

  it('still refuses foreign hosts and pages of other sites', async () => {
    const { url } = await start({ JIG_BEAN_INSPECTION_TOKEN: token });
    const authorization = `Bearer ${token}`;
    expect(await beanStatuses(url, { authorization, host: 'evil.example' })).toEqual(new Set([403]));
    expect(await beanStatuses(url, { authorization, origin: 'http://evil.example' })).toEqual(new Set([403]));
  });

  it('accepts pages of its own site behind a trusted proxy that changes the host', async () => {
    const { url } = await start({ JIG_BEAN_INSPECTION_TOKEN: token, JIG_SERVER_TRUST_PROXY: 'true' });
    const page = { authorization: `Bearer ${token}`, origin: 'https://public.example' };
    const status = async (headers: Record<string, string>) =>
      (await request(url, processBean, { ...page, ...headers })).status;
    expect(await status({ 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await status({ 'x-forwarded-host': 'public.example' })).toBe(200);
    expect(await status({ 'x-forwarded-host': 'other.example' })).toBe(403);
  });

  it('is logged with every address', async () => {
    const service = await start({ JIG_BEAN_INSPECTION_TOKEN: token, HOST: '0.0.0.0' });
    const { port } = new URL(service.url);
    const own = Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.internal === false && address.family === 'IPv4')?.address;
    await service.printed(new RegExp(`listening on http://${own ?? '127.0.0.1'}:${port} \\(open [^)]*/jig/bean\\)`));
  });
});

describe('beanInspection.token', () => {
  it('ends the start when it is shorter than 12 characters', async () => {
    const { url } = await start({ JIG_BEAN_INSPECTION_TOKEN: 'sesame-opens' });
    expect((await request(url, processBean)).status).toBe(401);
    for (const short of ['s', 'sesame-open']) {
      const { stderr } = await fail({ JIG_BEAN_INSPECTION_TOKEN: short });
      expect(stderr).toContain('expected a text of at least 12 characters');
      expect(stderr).not.toContain('sesame');
    }
  });

  it('may have every character that an Authorization header can carry', async () => {
    const every = '!~"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}';
    const { url } = await start({ JIG_BEAN_INSPECTION_TOKEN: every });
    for (const authorization of [`Bearer ${every}`, basic(`me:${every}`)]) {
      expect((await request(url, processBean, { authorization })).status).toBe(200);
    }
  });

  it.each(['correct horse battery', 'tökén-1234567890', 'a-tab-\tin-the-token', ' surrounded-by-spaces '])(
    'ends the start with one line when no Authorization header can carry it: %j',
    async (unfit) => {
      const { stderr } = await fail({ JIG_BEAN_INSPECTION_TOKEN: unfit });
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toContain('without white space and of ASCII characters only');
      expect(stderr).not.toContain(unfit.trim());
    },
  );
});
