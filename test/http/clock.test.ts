import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/exchange.ts';
import { type RunningService, startService, withoutDatabase } from '../support/start-service.ts';

const path = '/clock/time';
let service: RunningService;

beforeAll(async () => {
  service = await startService({ environment: { ...withoutDatabase, JIG_CLOCK_ZONE: 'America/Los_Angeles' } });
});

afterAll(() => service.stop());

interface Visitor {
  cookie: string;
}

const newVisitor = (): Visitor => ({ cookie: '' });

async function get(visitor: Visitor = newVisitor(), headers: Record<string, string> = {}) {
  const answer = await fetch(`${service.url}${path}`, { headers: { cookie: visitor.cookie, ...headers } });
  return { status: answer.status, headers: answer.headers, page: await answer.text() };
}

async function post(
  visitor: Visitor,
  body: string | URLSearchParams | undefined,
  headers: Record<string, string> = {},
) {
  const type = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
  const all = { cookie: visitor.cookie, ...type, ...headers };
  const init = { method: 'POST', redirect: 'manual', headers: all } as const;
  const answer = await fetch(`${service.url}${path}`, body === undefined ? init : { ...init, body });
  const [cookie] = answer.headers.getSetCookie();
  if (cookie) visitor.cookie = cookie.split(';')[0] ?? '';
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
}

const stored = async ({ cookie }: Visitor) => {
  const answer = await fetch(`${service.url}/jig/bean/session.json`, { headers: { cookie } });
  return (await answer.json()) as Record<string, string>;
};

const selectedIn = (page: string, name: string) => {
  const select = page.split(`<select class="col-lg" name="${name}"`)[1]?.split('</select>')[0] ?? '';
  return [...select.matchAll(/<option value="([^"]*)" selected="selected">/g)].map(([, value]) => value);
};
const alerts = (page: string) => [...page.matchAll(/<div role="alert"[^>]*>(.*?)<\/div>/gs)].map(([, text]) => text);

describe('GET /clock/time', () => {
  it('has exactly the markup that people and scripts look for', async () => {
    const { page, headers } = await get();
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const markup = page
      .slice(page.indexOf('<main'), page.indexOf('</main>'))
      .replace(/ (?:aria-label|autocomplete|data-[a-z]+)="[^"]*"/g, '');
    expect(markup).toMatch(
      /^<main class="container">\n<div class="jumbotron">\n<h1 class="text-center">\d{1,2}:\d\d:\d\d [AP]M<\/h1>\n<h1 class="text-center">[A-Z][a-z]+ \d{1,2}, \d{4}<\/h1>\n<\/div>\n<form class="row" method="post" action="\/clock\/time">\n<select class="col-lg" name="languageTag">\n<option value="af">af - Afrikaans<\/option>\n/,
    );
    expect(markup).toContain('<option value="en-US" selected="selected">en-US - English (United States)</option>');
    expect(markup).toContain(
      '<select class="col-lg" name="zoneID">\n<option value="Etc/GMT+12">Etc/GMT+12 - GMT-12:00</option>',
    );
    expect(markup).toContain(
      '<option value="America/Los_Angeles" selected="selected">America/Los_Angeles - Pacific Standard Time</option>',
    );
    expect(markup).toContain('<option value="Europe/Saratov">Europe/Saratov - Saratov Standard Time</option>');
    expect(markup).toMatch(/<\/select>\n<button class="col-sm-1" type="submit">↻<\/button>\n<\/form>\n$/);
    const classes = [...page.matchAll(/class="([^"]*)"/g)].map(([, name]) => name);
    expect(classes).toEqual([
      'browserupgrade',
      'container',
      'jumbotron',
      'text-center',
      'text-center',
      'row',
      'col-lg',
      'col-lg',
      'col-sm-1',
    ]);
  });

  it('links one stylesheet and two scripts under versioned addresses that can be had', async () => {
    const { page } = await get();
    const styles = [...page.matchAll(/<link rel="stylesheet" href="([^"]+)">/g)].map(([, href]) => href ?? '');
    const scripts = [...page.matchAll(/<script src="([^"]+)"/g)].map(([, source]) => source ?? '');
    expect([styles.length, scripts.length]).toEqual([1, 2]);
    for (const address of [...styles, ...scripts]) {
      expect(address).toMatch(/^\/assets\/(?:bootstrap\/5\.3\.8|jquery\/4\.0\.0)\//);
      const answer = await fetch(service.url + address, { headers: { 'accept-encoding': 'br' } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toContain('immutable');
    }
    expect(page).toMatch(/<!--\[if lte IE 9\]><p class="browserupgrade">You are using[^<]+<\/p><!\[endif\]-->/);
  });

  it('takes the language from Accept-Language, and says which it is', async () => {
    const { page } = await get(undefined, { 'accept-language': 'xx, ar-EG;q=0.8, de;q=0.5' });
    expect(page).toMatch(/^<!doctype html>\n<html lang="ar-EG" dir="rtl">/);
    expect(selectedIn(page, 'languageTag')).toEqual(['ar-EG']);
    expect(page).toContain('غرينتش-١٢:٠٠');
  });

  it('may be kept by nobody but the one who asked, and says what it depends on', async () => {
    const { headers } = await get();
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toBe('Cookie, Accept-Language, Accept-Encoding');
    expect(headers.getSetCookie()).toEqual([]);
    expect(headers.get('content-security-policy')).toMatch(/script-src 'self' 'sha256-[^']+';/);
  });

  it('comes in the encoding that the client likes', async () => {
    const fetchRaw = async (encoding: string) => {
      const answer = await request(service.url, `GET ${path}`, { 'accept-encoding': encoding });
      const body = Buffer.from(answer.body, 'latin1');
      expect(body.length).toBe(Number(answer.headers.get('content-length')));
      return { encoding: answer.headers.get('content-encoding'), body };
    };
    const marked = '<option value="en-US" selected="selected">';
    const gzip = await fetchRaw('gzip, deflate');
    expect(gzip.encoding).toBe('gzip');
    expect(gunzipSync(gzip.body).toString()).toContain(marked);
    for (const header of ['identity', 'br', 'gzip;q=0', 'zstd', 'nonsense;;;']) {
      const plain = await fetchRaw(header);
      expect(plain.encoding).toBeUndefined();
      expect(plain.body.toString()).toContain(marked);
    }
  });

  it('answers HEAD without a body, and other methods with 405', async () => {
    const head = await request(service.url, `HEAD ${path}`);
    expect([head.status, head.body]).toEqual([200, '']);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100_000);
    const put = await request(service.url, `PUT ${path}`);
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });

  it("shows the browser's own zone as long as the user has chosen none", async () => {
    const visitor = { cookie: 'clock-zone=Asia%2FTokyo' };
    const before = await get(visitor);
    expect(selectedIn(before.page, 'zoneID')).toEqual(['Asia/Tokyo']);
    expect(before.page).toContain('data-chosen="false"');
    await post(visitor, 'zoneID=Asia/Kolkata');
    const after = await get({ cookie: `clock-zone=Asia%2FTokyo; ${visitor.cookie}` });
    expect(selectedIn(after.page, 'zoneID')).toEqual(['Asia/Kolkata']);
    expect(after.page).toContain('data-chosen="true"');
  });
});

describe('POST /clock/time', () => {
  it('stores the choice, sends the browser back, and the page shows it from then on', async () => {
    const visitor = newVisitor();
    expect(await post(visitor, 'languageTag=ja-JP&zoneID=Asia/Kolkata')).toEqual({
      status: 302,
      location: path,
      text: '',
    });
    const { page } = await get(visitor);
    expect(selectedIn(page, 'languageTag')).toEqual(['ja-JP']);
    expect(selectedIn(page, 'zoneID')).toEqual(['Asia/Kolkata']);
    expect(page).toContain('>Asia/Kolkata - インド標準時<');
    await post(visitor, 'languageTag=th-TH');
    const changed = (await get(visitor)).page;
    expect(selectedIn(changed, 'languageTag')).toEqual(['th-TH']);
    expect(selectedIn(changed, 'zoneID')).toEqual(['Asia/Kolkata']);
  });

  it('stores every key under its own name, the first value of each', async () => {
    const visitor = newVisitor();
    // The inspector masks what looks secret, and a cookie does.
    await post(visitor, 'languageTag=de&languageTag=fr&cookie=a&save=b&__proto__=c&constructor=d&id=e&x=%C3%A4');
    expect(Object.entries(await stored(visitor))).toEqual([
      ['languageTag', 'de'],
      ['cookie', '******'],
      ['save', 'b'],
      ['__proto__', 'c'],
      ['constructor', 'd'],
      ['id', 'e'],
      ['x', 'ä'],
    ]);
    expect(selectedIn((await get(visitor)).page, 'languageTag')).toEqual(['de']);
  });

  it('stores nothing of an empty form, and redirects all the same', async () => {
    const visitor = newVisitor();
    expect((await post(visitor, '')).status).toBe(302);
    expect((await post(visitor, undefined)).status).toBe(302);
    expect(visitor.cookie).toBe('');
  });

  it('refuses what is no form, what is too large, and what another site sends', async () => {
    const visitor = newVisitor();
    const refused = [
      await post(visitor, '{"languageTag":"de"}', { 'content-type': 'application/json' }),
      await post(visitor, 'languageTag=de', { 'content-type': 'text/plain' }),
      await post(visitor, new URLSearchParams({ a: 'x'.repeat(17 * 1024) })),
      await post(visitor, 'languageTag=de', { 'sec-fetch-site': 'cross-site' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([415, 415, 413, 403]);
    expect(visitor.cookie).toBe('');
    expect(refused[1]?.text).toContain('A form is sent as application/x-www-form-urlencoded.');
  });

  it('takes no more than a session may hold, and nothing of a form that would pass it', async () => {
    const visitor = newVisitor();
    const keys = (count: number, from = 0) =>
      new URLSearchParams(Array.from({ length: count }, (_, index) => [`k${from + index}`, 'v']));
    expect((await post(visitor, keys(100))).status).toBe(302);
    expect((await post(visitor, keys(2, 99))).status).toBe(413);
    expect(Object.keys(await stored(visitor))).toHaveLength(100);
    const large = newVisitor();
    const statuses = [];
    for (let index = 0; index < 6; index++) {
      statuses.push((await post(large, new URLSearchParams({ [`k${index}`]: 'x'.repeat(15_000) }))).status);
    }
    expect(statuses).toEqual([302, 302, 302, 302, 413, 413]);
  });
});

const rubbishTags = [
  '',
  'en_US',
  'x-private',
  'root',
  'C',
  'zh-cmn',
  'i-klingon',
  'en-',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '\u0000',
  '🕰️',
  'de-XX',
  'a'.repeat(10_000),
];
const rubbishZones = [
  '',
  '+05:30',
  'America/nope',
  'GMT+25',
  "'; DROP TABLE sessions; --",
  '</select><script>alert(1)</script>',
  '__proto__',
  'z'.repeat(10_000),
];

describe('what is stored and not understood', () => {
  it.each(rubbishTags)('does not break the page: languageTag %.30j', async (languageTag) => {
    const visitor = newVisitor();
    expect((await post(visitor, new URLSearchParams({ languageTag }))).status).toBe(302);
    const { status, page } = await get(visitor);
    expect(status).toBe(200);
    expect(selectedIn(page, 'languageTag')).toHaveLength(1);
    const [alert = '', ...others] = alerts(page);
    expect(others).toEqual([]);
    expect(alert.length).toBeLessThan(500);
    expect(alert).not.toContain('<');
    expect(page).not.toContain('<script>alert');
    expect(page).not.toContain('<img');
  });

  it.each(rubbishZones)('does not break the page: zoneID %.30j', async (zoneID) => {
    const visitor = newVisitor();
    await post(visitor, new URLSearchParams({ zoneID }));
    const { status, page } = await get(visitor);
    expect(status).toBe(200);
    expect(selectedIn(page, 'zoneID')).toEqual(['GMT']);
    expect(alerts(page)).toHaveLength(1);
    expect(page).not.toContain('<script>alert');
  });

  it('is said in words, in the language of the page', async () => {
    const visitor = newVisitor();
    await post(visitor, 'languageTag=de-XX&zoneID=Mars/Olympus');
    const { page } = await get(visitor);
    expect(alerts(page)).toEqual([expect.stringContaining('de-XX'), expect.stringContaining('Mars/Olympus')]);
    expect(page).toContain('<html lang="de"');
  });

  it('is no rubbish: a zone of one’s own, and a tag in another case', async () => {
    const visitor = newVisitor();
    await post(visitor, new URLSearchParams({ languageTag: 'EN-gb', zoneID: 'GMT+05:30' }));
    const { page } = await get(visitor);
    expect(alerts(page)).toEqual([]);
    expect([selectedIn(page, 'languageTag'), selectedIn(page, 'zoneID')]).toEqual([['en-GB'], ['GMT+05:30']]);
  });

  it.each(
    [...rubbishTags, '*', ',,,', 'de;q=9', 'x'.repeat(5000)].filter(
      (header) => /^[\x20-\x7e]*$/.test(header) && header.length < 8000,
    ),
  )('may stand in Accept-Language as well: %.30j', async (header) => {
    const { status, page } = await get(undefined, { 'accept-language': header });
    expect([status, alerts(page)]).toEqual([200, []]);
  });
});

describe('the parts of the clock', () => {
  it('are beans, under the names of the specification', async () => {
    const visitor = newVisitor();
    await post(visitor, 'languageTag=de-DE&zoneID=Asia/Kolkata');
    const answer = await fetch(`${service.url}/jig/bean/clock.json`, { headers: { cookie: visitor.cookie } });
    const clock = (await answer.json()) as Record<string, unknown>;
    expect(Object.keys(clock)).toEqual(['locale', 'zone', 'timestamp', 'date', 'time', 'locales', 'zones']);
    expect(clock).toMatchObject({
      locale: { languageTag: 'de-DE' },
      zone: { id: 'Asia/Kolkata', rawOffset: 19_800_000 },
      timestamp: expect.any(Number),
      date: { style: 'long date', calendar: 'gregory' },
    });
    expect((clock.zones as unknown[]).length).toBe(632);
    for (const name of ['locales', 'zones', 'zoneRules', 'clockTables', 'clockPages', 'clockNames', 'clockFormats']) {
      expect((await fetch(`${service.url}/jig/bean/${name}.json`)).status).toBe(200);
    }
  });

  it('say in /health what the tables were made from', async () => {
    const health = (await (await fetch(`${service.url}/health`)).json()) as { parts: Record<string, unknown> };
    expect(health.parts.clock).toMatchObject({
      ok: true,
      details: { madeFrom: { names: expect.stringMatching(/^\d+\./) } },
    });
    expect((await get()).page).toMatch(/<footer>Names from CLDR \d+[^<]*<\/footer>/);
  });

  it('say in /health, in the footer and in a bean which time zones are in force: the newest at hand', async () => {
    const data = createRequire(new URL('../../packages/clock/package.json', import.meta.url));
    const { version: packaged } = data('moment-timezone/data/packed/latest.json') as { version: string };
    const icu = process.versions.tz ?? '';
    const release = packaged > icu ? packaged : icu;
    const health = (await (await fetch(`${service.url}/health`)).json()) as { parts: Record<string, unknown> };
    expect(health.parts.clock).toMatchObject({
      state: expect.stringContaining(`time zones ${release}`),
      details: { timeZones: { release, available: { packaged, icu } } },
    });
    const { page } = await get(newVisitor(), { 'accept-language': 'en' });
    expect(page).toMatch(new RegExp(`<footer>[^<]*, time zones ${release}</footer>`));
    const bean = await (await fetch(`${service.url}/jig/bean/zoneRules.json`)).json();
    expect(bean).toMatchObject({ release, available: { packaged, icu } });
  });

  it('show the time of zones whose rules have changed in 2026', async () => {
    const changed: Record<string, number> = {
      'America/Vancouver': -7,
      'Canada/Pacific': -7,
      'America/Edmonton': -6,
      'America/Winnipeg': -5,
      'Africa/Casablanca': 0,
    };
    for (const [zoneID, hours] of Object.entries(changed)) {
      const visitor = newVisitor();
      await post(visitor, new URLSearchParams({ languageTag: 'en-GB', zoneID }));
      const { page } = await get(visitor);
      const [, now, time] = /data-now="(\d+)"[^>]*>\s*<h1[^>]*>([^<]*)</.exec(page) ?? [];
      expect([zoneID, time]).toEqual([zoneID, new Date(Number(now) + hours * 3_600_000).toISOString().slice(11, 19)]);
    }
  });
});
