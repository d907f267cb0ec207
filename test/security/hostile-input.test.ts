import { beforeAll, describe, expect, it } from 'vitest';
import { exchange, type RawAnswer, request } from '../support/exchange.ts';
import { useService } from '../support/in-process.ts';
import { cookieOf } from './clock-visitor.ts';

const service = useService({
  JIG_SERVER_TRUST_PROXY: 'true',
  JIG_BEAN_INSPECTION_DENY: '*secret*key*of*some*body*',
});

/** Every spelling of a line's end that somebody downstream might take for one. */
const lineEnds = ['%0d%0a', '%0a', '%0d', '%u000d%u000a', '%E5%98%8D%E5%98%8A', '%250d%250a', '%00'];
const injections = lineEnds.map((end) => `x${end}injected:%20yes${end}${end}<html>`);

const names = ['__proto__', 'constructor', '__proto__[polluted]', 'constructor.prototype.polluted', 'toJSON', 'then'];

const filled = (unit: string) => unit.repeat(Math.floor(14_000 / unit.length));
/** What a reader in more than linear time would take long for. */
const costly = ['a', ' ', ',', ';q=', 'en,', 'a-', '%20', '*;q=0.1,', 'secretkeyof', '~1/', '=', 'GMT+', '['].map(
  filled,
);

const texts = [...injections, ...names, ...costly];

const headerOf = (path: string, name: string) => (text: string) =>
  request(service.url, `GET ${path}`, { [name]: text });
const addressOf = (before: string, blank: string, after: string) => (text: string) =>
  request(service.url, `GET ${before}${text.replaceAll(' ', blank)}${after}`);

/** Where a client can put a text. */
const places: readonly [string, (text: string) => Promise<RawAnswer>][] = [
  ['the path', addressOf('/', '/', '')],
  ['the query', addressOf('/clock/time?zoneID=', '&', '')],
  ['the name of a parameter', addressOf('/jig/bean/process.json?', '&', '')],
  ['the name of a bean', addressOf('/jig/bean/', 'x', '.json')],
  ['a pointer', addressOf('/jig/bean/process.json?at=/', '/', '')],
  ['an asset', addressOf('/assets/jquery/', '/', '')],
  ['Accept-Language', headerOf('/clock/time', 'accept-language')],
  ['Accept-Encoding', headerOf('/clock/time', 'accept-encoding')],
  ['Accept', headerOf('/jig/bean', 'accept')],
  ['Host', (text) => request(service.url, 'GET /jig/bean', { host: text.trim() || 'a' })],
  ['X-Forwarded-Host', headerOf('/clock/time', 'x-forwarded-host')],
  ['Origin', headerOf('/jig/bean', 'origin')],
  ['Authorization', headerOf('/jig/bean', 'authorization')],
  ['If-None-Match', headerOf('/assets/x', 'if-none-match')],
  [
    'a cookie',
    (text) => request(service.url, 'GET /clock/time', { cookie: `clock-zone=${text}; jig-session=${text}` }),
  ],
];

/** Sizes of what a pollution of the process would add to; the service runs in it. */
const intrinsics = () => [Object, Array, Function].map(({ prototype }) => Reflect.ownKeys(prototype).length);
const clean = intrinsics();

function expectHarmless(text: string, { raw, status }: RawAnswer): void {
  const [head = ''] = raw.split('\r\n\r\n', 1);
  const hasOwnLines = !/^injected/im.test(head) && !/[^\r]\n|\r[^\n]/.test(head);
  expect([text.slice(0, 40), status >= 200 && status < 500, hasOwnLines]).toEqual([text.slice(0, 40), true, true]);
  expect(intrinsics()).toEqual(clean);
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Of a plain request, with its client; a quadratic reader of 14 KB costs thousands of them. */
let unit = 0;
beforeAll(async () => {
  const rounds = 20;
  const total = await cpuOf(async () => {
    for (let round = 0; round < rounds; round++) await request(service.url, 'GET /clock/time');
  });
  unit = total / rounds;
});

describe('hostile text', () => {
  it.each(places)('does no harm and takes little time in %s', async (_, send) => {
    for (const text of texts) {
      const cost = await cpuOf(async () => expectHarmless(text, await send(text)));
      expect([text.slice(0, 12), cost < 500 * unit]).toEqual([text.slice(0, 12), true]);
    }
  });

  it('does no harm and takes little time in a form, and in the page that shows it', async () => {
    for (const text of texts) {
      const body = `languageTag=${text}&zoneID=${text}&${text}=${text}`.replaceAll(' ', '+').slice(0, 30_000);
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
      const cost = await cpuOf(async () => {
        const stored = await request(service.url, 'POST /clock/time', headers, body);
        expectHarmless(text, stored);
        const cookie = cookieOf(stored.headers.get('set-cookie') ?? '');
        const page = await request(service.url, 'GET /clock/time', { cookie });
        expectHarmless(text, page);
        expect(page.body).not.toMatch(/injected:[^<]*<html>/);
      });
      expect([text.slice(0, 12), cost < 1000 * unit]).toEqual([text.slice(0, 12), true]);
    }
  });

  it('with a real line end is refused', async () => {
    for (const end of ['\n', '\r', '\0']) {
      const bytes = `GET /clock/time HTTP/1.1\r\nHost: a\r\nAccept-Language: en${end}injected: yes\r\nConnection: close\r\n\r\n`;
      expect((await exchange(service.url, bytes)).status).toBe(400);
    }
  });
});
