import { describe, expect, it } from 'vitest';
import { type RawAnswer, request } from '../support/exchange.ts';
import { useService } from '../support/in-process.ts';

const service = useService({ JIG_SERVER_TRUST_PROXY: 'true' });

type Sent = readonly [line: string, headers?: Record<string, string>, body?: string];

/** One of every kind of answer there is. */
const requests: readonly Sent[] = [
  ['GET /'],
  ['GET /health'],
  ['GET /openapi.json'],
  ['GET /clock/time'],
  ['GET /clock/time', { 'accept-encoding': 'br' }],
  ['HEAD /clock/time'],
  ['POST /clock/time', { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '3' }, 'a=b'],
  ['POST /clock/time', { 'content-type': 'text/plain', 'content-length': '3' }, 'a=b'],
  ['POST /clock/time', { 'sec-fetch-site': 'cross-site', 'content-length': '0' }],
  ['GET /jig/bean/process.json'],
  ['GET /jig/bean/process.xml'],
  ['GET /jig/bean', { accept: 'text/html' }],
  ['GET /jig/bean/none.json'],
  ['GET /jig/bean/process.json', { origin: 'https://elsewhere.example' }],
  ['GET /nothing'],
  ['GET /nothing', { accept: 'text/html' }],
  ['GET /%'],
  ['GET /%zz'],
  ['DELETE /health'],
  ['POST /health', { 'transfer-encoding': 'gzip, chunked' }, '0\r\n\r\n'],
];

const directives = (answer: RawAnswer) =>
  new Map(
    (answer.headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources] as const;
    }),
  );

describe.each(requests.map((sent) => ({ sent })))('$sent.0 $sent.1', ({ sent }) => {
  const [line, headers, body] = sent;

  it('has every security header', async () => {
    const answer = await request(service.url, line, headers, body);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
    const policy = directives(answer);
    expect(policy.get('default-src')).toEqual(["'none'"]);
    expect(policy.get('frame-ancestors')).toEqual(["'none'"]);
    expect(policy.get('base-uri')).toEqual(["'none'"]);
    expect(policy.get('form-action')).toEqual(["'self'"]);
    for (const source of [policy.get('script-src'), policy.get('style-src')].flat()) {
      expect(source).toMatch(/^'(?:self|sha256-[\w+/]{43}=)'$/);
    }
  });

  it('has no Server header, allows no other origin, is stored by no shared cache, and has a type', async () => {
    const plain = await request(service.url, line, headers, body);
    for (const name of ['server', 'x-powered-by', 'access-control-allow-origin', 'via', 'strict-transport-security'])
      expect([name, plain.headers.get(name)]).toEqual([name, undefined]);
    expect(plain.headers.get('cache-control')).toMatch(/no-store|no-cache/);
    const type = plain.headers.get('content-type') ?? '';
    if (plain.body !== '' && plain.status !== 302)
      expect(type).toMatch(/^(?!text\/html)[a-z]+\/[a-z+]+|^text\/html; charset=utf-8$/);
    const secure = await request(service.url, line, { ...headers, 'x-forwarded-proto': 'https' }, body);
    expect(secure.headers.get('strict-transport-security')).toMatch(/^max-age=\d{8,}/);
  });
});

describe('pages', () => {
  it('run only inline scripts and styles that their policy allows by hash, and load only own files', async () => {
    for (const path of ['/', '/clock/time', '/jig/bean']) {
      const page = await (await fetch(service.url + path, { headers: { accept: 'text/html' } })).text();
      expect(page).not.toMatch(/\son\w+\s*=|javascript:|style\s*=|https?:\/\/(?!www\.w3\.org)/i);
    }
  });
});
