import { describe, expect, it } from 'vitest';
import { request } from '../support/exchange.ts';
import { useService } from '../support/in-process.ts';
import { choose, cookieOf, sessionOf } from './clock-visitor.ts';

const service = useService();

const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '16' };

const post = (headers: Record<string, string>) =>
  request(service.url, 'POST /clock/time', { ...form, ...headers }, 'zoneID=Etc/GMT+1');

// Which requests count as cross-site is tested in packages/http; forms of the page itself in http/clock-selection.
describe('a form from another site', () => {
  it.each<Record<string, string>>([{ 'sec-fetch-site': 'same-site' }, { origin: 'http://127.0.0.1:1' }])(
    'is refused and neither creates nor changes a session: %j',
    async (headers) => {
      const cookie = cookieOf(await choose(service.url, { zoneID: 'Asia/Kolkata' }));
      for (const sent of [headers, { ...headers, cookie }]) {
        const answer = await post(sent);
        expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, undefined]);
      }
      expect(await sessionOf(service.url, cookie)).toMatchObject({ zoneID: 'Asia/Kolkata' });
    },
  );

  it('is refused before its body is read, even if the body never comes', async () => {
    const headers = { ...form, connection: 'keep-alive', 'sec-fetch-site': 'cross-site' };
    const answer = await request(service.url, 'POST /clock/time', headers);
    expect([answer.status, answer.headers.get('connection')]).toEqual([403, 'close']);
  });
});

it('a GET request changes nothing, with any query', async () => {
  const cookie = cookieOf(await choose(service.url, { zoneID: 'Asia/Kolkata' }));
  const before = await sessionOf(service.url, cookie);
  for (const method of ['GET', 'HEAD']) {
    const headers = { cookie, 'x-http-method-override': 'POST' };
    await fetch(`${service.url}/clock/time?zoneID=GMT&languageTag=de&_method=POST`, { method, headers });
  }
  const after = await sessionOf(service.url, cookie);
  expect({ ...after, expires: 0, lastAccessed: 0 }).toEqual({ ...before, expires: 0, lastAccessed: 0 });
});
