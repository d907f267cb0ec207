import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseClockPage } from '../support/clock-page.ts';
import { request } from '../support/exchange.ts';
import { type RunningService, startService, withoutDatabase } from '../support/start-service.ts';
import { Visitor } from '../support/visitor.ts';

type Zone = readonly [id: string, rawOffset: number, daylightAmount: number];

interface Named {
  readonly localeNames: readonly string[];
  readonly zoneNames: readonly string[];
  readonly localeOrder: readonly string[];
  readonly zoneOrder: readonly string[];
}

function readOracle(name: string): unknown {
  const file = new URL(`../../packages/clock/test/data/jdk25-${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}

const base = readOracle('base') as { localeTags: string[]; zones: Zone[] };
const effectiveLocales = ['ar-EG', 'de-DE', 'en-US', 'ja-JP'];
const zonesById = new Map(base.zones.map((zone) => [zone[0], zone]));

let service: RunningService;
const visitor = (headers: Record<string, string> = {}) => new Visitor(service.url, headers);

async function pageOf(languageTag: string, zoneID = 'UTC') {
  const person = visitor();
  await person.choose({ languageTag, zoneID });
  return person.page();
}

beforeAll(async () => {
  service = await startService({ environment: { ...withoutDatabase, TZ: 'Asia/Kolkata' } });
});

afterAll(() => service.stop());

describe('the markup of the clock page', () => {
  it('has the ruled elements, one inside the other, in order', async () => {
    const { html } = await visitor().page();
    const bare = html
      .replace(/<option.*?<\/option>/gs, '')
      .replace(/>\s+/g, '>')
      .replace(/\s+</g, '<');
    const [, main = ''] = /<main (.*)<\/main>/s.exec(bare) ?? [];
    const attributes = '(?: (?!class=)[a-z-]+="[^"]*")*';
    const expected = [
      `^class="container"${attributes}>`,
      `<div class="jumbotron"${attributes}>`,
      `<h1 class="text-center"${attributes}>[^<]+</h1>`,
      `<h1 class="text-center"${attributes}>[^<]+</h1></div>`,
      `<form class="row" method="post" action="/clock/time"${attributes}>`,
      `<select class="col-lg" name="languageTag"${attributes}></select>`,
      `<select class="col-lg" name="zoneID"${attributes}></select>`,
      `<button class="col-sm-1" type="submit"${attributes}>↻</button></form>$`,
    ].join('');
    expect(main).toMatch(new RegExp(expected));
    expect(html.match(/<main|<form|<h1|<select|<button/g)).toEqual([
      '<main',
      '<h1',
      '<h1',
      '<form',
      '<select',
      '<select',
      '<button',
    ]);
  });

  it('carries the ruled classes and no others, with an alert too', async () => {
    const classes = ['browserupgrade', 'col-lg', 'col-lg', 'col-sm-1', 'container', 'jumbotron', 'row'];
    for (const page of [await visitor().page(), await pageOf('rubbish!', 'rubbish!'), await pageOf('ar-EG')]) {
      const markup = page.html.replace(/<script>.*?<\/script>/gs, '');
      const found = [...markup.matchAll(/\sclass\s*=\s*["']?([^"'>]*)/g)].map(([, value = '']) => value);
      expect(found.sort()).toEqual([...classes, 'text-center', 'text-center']);
      expect(markup).not.toMatch(/\sstyle\s*=|<style/);
    }
  });

  it('links one stylesheet and two scripts that are there, under one path, with the real versions', async () => {
    const { html } = await visitor().page();
    const sheets = [...html.matchAll(/<link\s[^>]*rel="stylesheet"[^>]*href="([^"]+)"/g)].map(([, path = '']) => path);
    const scripts = [...html.matchAll(/<script\s[^>]*src="([^"]+)"/g)].map(([, path = '']) => path);
    expect([sheets.length, scripts.length]).toEqual([1, 2]);
    const version = (name: string) => {
      const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
      return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
    };
    expect(sheets[0]).toMatch(`/assets/bootstrap/${version('bootstrap')}/`);
    expect(scripts.some((path) => path.startsWith(`/assets/bootstrap/${version('bootstrap')}/`))).toBe(true);
    expect(scripts.some((path) => path.startsWith(`/assets/jquery/${version('jquery')}/`))).toBe(true);
    for (const path of [...sheets, ...scripts]) {
      const answer = await fetch(`${service.url}${path}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/);
    }
  });

  it('has the upgrade notice in a conditional comment, in the words of the effective locale', async () => {
    const notice = (html: string) =>
      /<!--\[if lte IE 9\]><p class="browserupgrade">([^<]+(?:<[^!][^<]*)*)<\/p><!\[endif\]-->/.exec(html)?.[1];
    const english = notice((await pageOf('en-US')).html);
    const german = notice((await pageOf('de-DE')).html);
    expect(english).toContain('browser');
    expect(german).toBeDefined();
    expect(german).not.toBe(english);
  });

  it('says its language and direction', async () => {
    for (const [tag, direction] of [
      ['ar-EG', 'rtl'],
      ['he-IL', 'rtl'],
      ['ks-Deva-IN', 'ltr'],
      ['ur-PK', 'rtl'],
      ['pa-Arab-PK', 'rtl'],
      ['de-DE', 'ltr'],
    ]) {
      expect((await pageOf(tag ?? '')).html).toContain(`<html lang="${tag}" dir="${direction}"`);
    }
  });

  it('is HTML in UTF-8 that no shared cache keeps', async () => {
    const answer = await fetch(`${service.url}/clock/time`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html; ?charset=utf-8$/i);
    expect(answer.headers.get('cache-control')).toMatch(/private|no-store/);
    const vary = answer.headers.get('vary')?.toLowerCase() ?? '';
    for (const name of ['cookie', 'accept-language', 'accept-encoding']) expect(vary).toContain(name);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

describe('the options', () => {
  it('are all zones, by offset, daylight amount and ID, each with the effective locale’s names', async () => {
    for (const tag of effectiveLocales) {
      const oracle = readOracle(tag) as Named;
      const page = await pageOf(tag);
      const ids = page.zoneID.options.map(([value]) => value);
      expect(ids).toEqual(oracle.zoneOrder);
      const names = new Map(base.zones.map(([id], place) => [id, oracle.zoneNames[place]]));
      const different = page.zoneID.options.filter(([value, text]) => text !== `${value} - ${names.get(value)}`);
      expect(different.length / ids.length).toBeLessThan(0.04);
      const bare = page.zoneID.options.filter(
        ([value, text]) => /- \p{L}*[+-]\d/u.test(text) && !value.startsWith('Etc/'),
      );
      expect(bare).toEqual([]);
    }
  });

  it('are the locales of the platform, by tag, each with its name in the effective locale', async () => {
    for (const tag of effectiveLocales) {
      const oracle = readOracle(tag) as Named;
      const page = await pageOf(tag);
      const tags = page.languageTag.options.map(([value]) => value);
      expect(new Set(tags).size).toBe(tags.length);
      expect(tags).not.toContain('');
      const missing = base.localeTags.filter((wanted) => wanted !== '' && wanted !== 'und' && !tags.includes(wanted));
      expect(missing.length).toBeLessThanOrEqual(30);
      const known = new Set(base.localeTags);
      // The JDK has one of its locales twice.
      const expected = [...new Set(oracle.localeOrder)].filter((value) => tags.includes(value));
      expect(tags.filter((value) => known.has(value))).toEqual(expected);
      const names = new Map(base.localeTags.map((wanted, place) => [wanted, oracle.localeNames[place]]));
      const both = page.languageTag.options.filter(([value]) => names.has(value));
      const different = both.filter(([value, text]) => text !== `${value} - ${names.get(value)}`);
      expect(different.length / both.length).toBeLessThan(0.04);
    }
    const english = new Map((await pageOf('en-US')).languageTag.options);
    expect(english.get('en-US')).toBe('en-US - English (United States)');
  });

  it('have exactly one selected in each select, the one that was chosen', async () => {
    const page = await visitor().page();
    const tags = page.languageTag.options.map(([value]) => value).filter((_, place) => place % 10 === 0);
    const zones = page.zoneID.options.map(([value]) => value);
    const special = [
      'Asia/Kolkata',
      'Asia/Calcutta',
      'GMT',
      'Etc/GMT',
      'Etc/UTC',
      'UTC',
      'EST',
      'SystemV/PST8PDT',
      'ROK',
    ];
    const choices = tags.map(
      (tag, place) => [tag, special[place] ?? zones[(place * 37) % zones.length] ?? 'UTC'] as const,
    );
    const person = visitor();
    for (const [languageTag, zoneID] of choices) {
      await person.choose({ languageTag, zoneID });
      const seen = await person.page();
      expect([seen.languageTag.selected, seen.zoneID.selected]).toEqual([[languageTag], [zoneID]]);
      expect(seen.alert).toBeUndefined();
    }
  });
});

describe('the model, as the bean clock', () => {
  it('has the seven attributes of the spec, for the caller', async () => {
    const person = visitor();
    await person.choose({ languageTag: 'ja-JP', zoneID: 'America/New_York' });
    const before = Date.now();
    const model = (await (await person.ask('/jig/bean/clock.json')).json()) as Record<string, unknown>;
    expect(Object.keys(model)).toEqual(['locale', 'zone', 'timestamp', 'date', 'time', 'locales', 'zones']);
    expect(model.timestamp).toBeGreaterThanOrEqual(before);
    expect(model.timestamp).toBeLessThanOrEqual(Date.now());
    expect(JSON.stringify(model.locale)).toContain('ja-JP');
    expect(JSON.stringify(model.zone)).toContain('America/New_York');
    for (const formatter of [model.date, model.time]) {
      expect(JSON.stringify(formatter)).toContain('ja-JP');
      expect(JSON.stringify(formatter)).toContain('America/New_York');
    }
    expect((model.locales as unknown[]).length).toBeGreaterThan(1125);
    const zones = model.zones as { id: string; rawOffset: number; daylightSavings: number }[];
    expect(zones.map(({ id }) => id)).toEqual((readOracle('ja-JP') as Named).zoneOrder);
    for (const { id, rawOffset, daylightSavings } of zones) {
      expect([id, rawOffset, daylightSavings]).toEqual(zonesById.get(id));
    }
    const xml = await (await person.ask('/jig/bean/clock.xml')).text();
    expect(xml).toMatch(/^(<\?xml[^>]*\?>\s*)?<Clock[ >]/);
  });
});

describe('the time and the date', () => {
  it('are now, medium and long, in the effective locale and zone', async () => {
    for (const [tag, timeZone] of [
      ['en-US', 'America/Los_Angeles'],
      ['ar-EG', 'Africa/Cairo'],
      ['th-TH', 'Asia/Bangkok'],
      ['fa-IR', 'Asia/Tehran'],
      ['de-DE', 'Pacific/Kiritimati'],
      ['en-GB', 'Etc/GMT+12'],
    ]) {
      const before = Date.now();
      const page = await pageOf(tag ?? '', timeZone);
      const times = new Intl.DateTimeFormat(tag, { timeStyle: 'medium', timeZone });
      const dates = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone });
      const moments = [];
      for (let moment = before; moment < Date.now() + 1000; moment += 1000) moments.push(moment);
      expect(moments.map((moment) => times.format(moment))).toContain(page.time);
      expect(moments.map((moment) => dates.format(moment))).toContain(page.date);
    }
  });
});

describe('the default locale', () => {
  const localeFor = async (header: string) =>
    (await visitor({ 'accept-language': header }).page()).languageTag.selected.join();

  it('is the best match of Accept-Language', async () => {
    const expected = {
      'de-DE': 'de-DE',
      'de-de': 'de-DE',
      'DE-AT;q=0.9, fr;q=0.8': 'de-AT',
      'fr;q=0.5, it;q=0.9': 'it',
      'xx, ja;q=0.1': 'ja',
      'en-GB,en-US;q=0.9,en;q=0.8': 'en-GB',
      'zh-Hant-TW': 'zh-Hant-TW',
      'zh-TW': 'zh-TW',
      'sr-Latn': 'sr-Latn',
      'de-DE-1996': 'de-DE',
      'en-US-posix': 'en-US-posix',
      'fr-FR-u-ca-buddhist': 'fr-FR',
      'fr;q=0, de': 'de',
      'nl ; q=0.7 , pl ; q=0.8': 'pl',
    };
    for (const [header, tag] of Object.entries(expected))
      expect([header, await localeFor(header)]).toEqual([header, tag]);
  });

  it('is en-US for anything, rubbish and nothing', async () => {
    const rubbish = [
      '*',
      '',
      'xx',
      'en_US',
      'i-klingon',
      'C',
      'x-private',
      'root',
      'zh-cmn-',
      '-',
      ',,,',
      ';q=1',
      'a'.repeat(4000),
    ];
    rubbish.push('de;q=0', '%00', '<script>', 'constructor', '__proto__', '*;q=0.1', `${'xx,'.repeat(3000)}`);
    for (const header of rubbish) {
      const answer = await request(service.url, 'GET /clock/time', { 'accept-language': header });
      expect([header, answer.status]).toEqual([header, 200]);
      const html = Buffer.from(answer.body, 'latin1').toString();
      const { selected } = parseClockPage(html).languageTag;
      if (header !== 'zh-cmn-' && header !== 'en_US') expect([header, selected]).toEqual([header, ['en-US']]);
      expect(html).not.toContain('role="alert"');
    }
    const without = await request(service.url, 'GET /clock/time');
    expect(without.body).toContain('<option value="en-US" selected="selected">');
  });

  it('gives way to the session, which says nothing about the zone', async () => {
    const person = visitor({ 'accept-language': 'fr-FR' });
    expect((await person.page()).languageTag.selected).toEqual(['fr-FR']);
    await person.choose({ zoneID: 'Asia/Tokyo' });
    const half = await person.page();
    expect([half.languageTag.selected, half.zoneID.selected]).toEqual([['fr-FR'], ['Asia/Tokyo']]);
    await person.choose({ languageTag: 'sv-SE' });
    const whole = await person.page();
    expect([whole.languageTag.selected, whole.zoneID.selected]).toEqual([['sv-SE'], ['Asia/Tokyo']]);
  });
});

describe('the default zone', () => {
  it('is the server’s own', async () => {
    expect((await visitor().page()).zoneID.selected).toEqual(['Asia/Kolkata']);
  });

  it('is UTC when the server’s own is unknown', async () => {
    const lost = await startService({ environment: { ...withoutDatabase, TZ: 'Mars/Olympus' } });
    try {
      expect((await new Visitor(lost.url).page()).zoneID.selected).toEqual(['UTC']);
    } finally {
      await lost.stop();
    }
  });

  it.each([
    ['UTC-3', 'GMT+03:00'],
    ['IST-5:30', 'GMT+05:30'],
    ['GMT+3', 'GMT-03:00'],
  ])('is the server’s own offset when that is all that TZ=%s says, with the sign of POSIX', async (TZ, id) => {
    const other = await startService({ environment: { ...withoutDatabase, TZ } });
    try {
      expect((await new Visitor(other.url).page()).zoneID.selected).toEqual([id]);
    } finally {
      await other.stop();
    }
  });

  it('and the default locale can be configured', async () => {
    const environment = { ...withoutDatabase, JIG_CLOCK_ZONE: 'Asia/Kolkata', JIG_CLOCK_LOCALE: 'pt-BR' };
    const other = await startService({ environment });
    try {
      const page = await new Visitor(other.url).page();
      expect([page.languageTag.selected, page.zoneID.selected]).toEqual([['pt-BR'], ['Asia/Kolkata']]);
      const german = await new Visitor(other.url, { 'accept-language': 'de' }).page();
      expect(german.languageTag.selected).toEqual(['de']);
    } finally {
      await other.stop();
    }
  });
});
