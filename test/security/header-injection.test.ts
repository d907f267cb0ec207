import { describe, expect, it } from 'vitest';
import { exchange, request } from '../support/exchange.ts';
import { failInProcess, useService } from '../support/in-process.ts';
import { withoutDatabase } from '../support/start-service.ts';

const service = useService({ JIG_SERVER_TRUST_PROXY: 'true' });

/** Every spelling of a line's end that somebody downstream might take for one. */
const lineEnds = [
  '%0d%0a',
  '%0D%0A',
  '%0a',
  '%0d',
  '%u000d%u000a',
  '%E5%98%8D%E5%98%8A',
  '%c4%8d%c4%8a',
  '%250d%250a',
  '%00',
];
const injections = lineEnds.map((end) => `x${end}injected:%20yes${end}${end}<html>`);

const isClean = ({ raw }: { raw: string }) => {
  const [head = ''] = raw.split('\r\n\r\n', 1);
  return !/^injected/im.test(head) && !/[^\r]\n|\r[^\n]/.test(head);
};

describe('a client cannot add a line to a response by', () => {
  it.each([
    ['the path', (text: string) => request(service.url, `GET /${text}`)],
    ['the path of the clock', (text: string) => request(service.url, `GET /clock/time/${text}`)],
    ['the query', (text: string) => request(service.url, `GET /clock/time?zoneID=${text}`)],
    ['the name of a bean', (text: string) => request(service.url, `GET /jig/bean/${text}.json`)],
    ['a pointer', (text: string) => request(service.url, `GET /jig/bean/process.json?at=/${text}`)],
    ['an asset', (text: string) => request(service.url, `GET /assets/jquery/${text}`)],
    ['Accept-Language', (text: string) => request(service.url, 'GET /clock/time', { 'accept-language': text })],
    ['Accept-Encoding', (text: string) => request(service.url, 'GET /clock/time', { 'accept-encoding': text })],
    ['Accept', (text: string) => request(service.url, 'GET /jig/bean', { accept: text })],
    [
      'Cookie',
      (text: string) => request(service.url, 'GET /clock/time', { cookie: `clock-zone=${text}; jig-session=${text}` }),
    ],
    ['Host', (text: string) => request(service.url, 'GET /clock/time', { host: text })],
    ['X-Forwarded-Host', (text: string) => request(service.url, 'GET /clock/time', { 'x-forwarded-host': text })],
    ['X-Forwarded-Proto', (text: string) => request(service.url, 'GET /clock/time', { 'x-forwarded-proto': text })],
    ['If-None-Match', (text: string) => request(service.url, 'GET /health', { 'if-none-match': text })],
    ['Authorization', (text: string) => request(service.url, 'GET /jig/bean', { authorization: `Bearer ${text}` })],
  ])('%s', async (_, send) => {
    for (const text of injections) {
      const answer = await send(text);
      expect([text, answer.status >= 200 && answer.status < 500, isClean(answer)]).toEqual([text, true, true]);
    }
  });

  it('the fields of a form that is stored and shown', async () => {
    for (const text of injections) {
      const body = `languageTag=${text}&zoneID=${text}&${text}=${text}`;
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
      const stored = await request(service.url, 'POST /clock/time', headers, body);
      expect([text, stored.status, stored.headers.get('location'), isClean(stored)]).toEqual([
        text,
        302,
        '/clock/time',
        true,
      ]);
      const cookie = stored.headers.get('set-cookie')?.split(';')[0] ?? '';
      const page = await request(service.url, 'GET /clock/time', { cookie });
      expect([text, page.status, isClean(page)]).toEqual([text, 200, true]);
      expect(page.body).not.toMatch(/injected:[^<]*<html>/);
    }
  });

  it('a header with a real line end, which is refused or read as two headers', async () => {
    for (const end of ['\n', '\r', '\0']) {
      const bytes = `GET /clock/time HTTP/1.1\r\nHost: a\r\nAccept-Language: en${end}injected: yes\r\nConnection: close\r\n\r\n`;
      expect((await exchange(service.url, bytes)).status).toBe(400);
    }
  });

  it('the configuration', async () => {
    for (const name of ['a\r\nx: y', 'a;b', 'a b', '']) {
      const { stderr } = await failInProcess({
        environment: withoutDatabase,
        flags: [`--sessions.cookieName=${name}`],
      });
      expect([name, stderr.trim().split('\n').length]).toEqual([name, 1]);
    }
  });
});

describe('a redirect', () => {
  it('goes to the page itself, with any host, prefix or address in the request', async () => {
    for (const headers of [
      { host: 'evil.example' },
      { 'x-forwarded-host': 'evil.example' },
      { 'x-forwarded-prefix': '//evil.example' },
      { 'x-original-url': '//evil.example' },
    ]) {
      const answer = await request(service.url, 'POST /clock/time', { ...headers, 'content-length': '0' });
      expect([headers, answer.status, answer.headers.get('location')]).toEqual([headers, 302, '/clock/time']);
    }
    for (const line of [
      'POST //evil.example/clock/time',
      'POST /clock/time?to=//evil.example',
      'POST http://evil.example/clock/time',
    ]) {
      const answer = await request(service.url, line, { 'content-length': '0' });
      expect([line, answer.headers.get('location') ?? '/clock/time']).toEqual([line, '/clock/time']);
    }
  });
});
