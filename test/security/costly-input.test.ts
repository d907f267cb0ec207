import { describe, expect, it } from 'vitest';
import { request } from '../support/exchange.ts';
import { useService } from '../support/in-process.ts';
import { cookieOf } from './clock-visitor.ts';

const service = useService({ JIG_BEAN_INSPECTION_DENY: '*secret*key*of*some*body*' });

const almost = 14_000;
const filled = (unit: string, end = '') => unit.repeat(Math.floor(almost / unit.length)) + end;

/** Processor time of one request, in milliseconds: of the service, which is in this process, and the little of the client. */
async function cost(send: () => Promise<{ status: number }>): Promise<number> {
  const before = process.cpuUsage();
  const { status } = await send();
  const { user, system } = process.cpuUsage(before);
  expect(status).toBeLessThan(500);
  return (user + system) / 1000;
}

/** A quadratic reader of 14 KB would take seconds, a worse one hours. */
const bound = 1500;

const pathological = [
  filled('a'),
  filled(' '),
  filled(','),
  filled(';q='),
  filled('en,'),
  filled('a-'),
  filled('%20'),
  filled('*;q=0.1,'),
  filled('secretkeyof'),
  filled('~1/'),
  filled('='),
  filled('GMT+'),
  filled('['),
  filled('..'),
];

describe('the service answers quickly when the costly input is', () => {
  it.each([
    ['Accept-Language', (text: string) => request(service.url, 'GET /clock/time', { 'accept-language': text })],
    ['Accept-Encoding', (text: string) => request(service.url, 'GET /clock/time', { 'accept-encoding': text })],
    ['Accept', (text: string) => request(service.url, 'GET /jig/bean', { accept: text })],
    ['Cookie', (text: string) => request(service.url, 'GET /clock/time', { cookie: `jig-session=${text}` })],
    ['the browser zone', (text: string) => request(service.url, 'GET /clock/time', { cookie: `clock-zone=${text}` })],
    ['Host', (text: string) => request(service.url, 'GET /jig/bean', { host: text.trim() || 'a' })],
    ['Origin', (text: string) => request(service.url, 'GET /jig/bean', { origin: text })],
    ['Authorization', (text: string) => request(service.url, 'GET /jig/bean', { authorization: `Basic ${text}` })],
    ['If-None-Match', (text: string) => request(service.url, 'GET /assets/x', { 'if-none-match': text })],
    ['an address', (text: string) => request(service.url, `GET /${text.replaceAll(' ', '/')}`)],
    ['the name of a bean', (text: string) => request(service.url, `GET /jig/bean/${text.replaceAll(' ', 'x')}.json`)],
    [
      'a pointer',
      (text: string) => request(service.url, `GET /jig/bean/process.json?at=/${text.replaceAll(' ', '/')}`),
    ],
    ['parameters', (text: string) => request(service.url, `GET /jig/bean/process.json?${text.replaceAll(' ', '&')}`)],
  ])('%s', { timeout: 120_000 }, async (_, send) => {
    for (const text of pathological)
      expect([text.slice(0, 12), (await cost(() => send(text))) < bound]).toEqual([text.slice(0, 12), true]);
  });

  it('a form, and the page that shows what it stored', { timeout: 120_000 }, async () => {
    const bodies = pathological.flatMap((text) => [
      `languageTag=${encodeURIComponent(text).slice(0, almost)}`,
      `zoneID=${encodeURIComponent(text).slice(0, almost)}`,
    ]);
    for (const body of [...bodies, filled('&'), filled('a&'), filled('a=b&'), filled('%')]) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
      let cookie = '';
      const spent = await cost(async () => {
        const answer = await request(service.url, 'POST /clock/time', headers, body);
        cookie = cookieOf(answer.headers.get('set-cookie') ?? '');
        return answer;
      });
      const shown = await cost(() => request(service.url, 'GET /clock/time', { cookie }));
      expect([body.slice(0, 24), spent < bound, shown < bound]).toEqual([body.slice(0, 24), true, true]);
    }
  });
});
