import { gunzipSync } from 'node:zlib';
import { Messages } from '@jig/application/internal';
import { describe, expect, it, vi } from 'vitest';
import { Clock } from '../clock.ts';
import { LocaleFormats } from '../formatting/locale-formats.ts';
import { Locales } from '../locales/locales.ts';
import { Names } from '../names.ts';
import { packageFolder } from '../package-folder.ts';
import type { Selection } from '../selection.ts';
import { Tables } from '../tables/tables.ts';
import { ZoneRules } from '../zones/zone-rules.ts';
import { Zones } from '../zones/zones.ts';
import { ClockPages } from './clock-pages.ts';
import type { ContentEncoding, EncodedPage } from './encoded-page.ts';
import { choiceLink, glance } from './glance.ts';
import { PageTemplate } from './page-template.ts';
import { PageTexts } from './page-texts.ts';

const tables = Tables.read();
const locales = new Locales(tables, 'en-US');
const zones = new Zones(tables, 'UTC');
const names = new Names(tables, locales, zones);
const rules = ZoneRules.read();
const formats = new LocaleFormats(tables, locales, rules);
const template = new PageTemplate();
const messages = new Messages();
messages.add('clock', new URL('messages/', packageFolder));
const texts = new PageTexts(messages, { cldr: '48.2.0', tz: rules.release });
const assets = { stylesheet: '/a.css', bootstrap: '/b.js', jquery: '/j.js', search: '/s.js', searchData: '/s.json' };
const script = 'let x = "<";';
const parts = { template, names, zones, formats, rules, texts, assets, script, bound: 8 * 1024 * 1024 };
const instant = Date.UTC(2026, 10, 15, 4, 5, 6, 789);

interface PageRequest extends Selection {
  readonly encoding: ContentEncoding;
  readonly instant: number;
}

function request(tag: string, id: string, more: Partial<PageRequest> = {}): PageRequest {
  const locale = locales.find(tag);
  const zone = zones.find(id);
  if (!locale || !zone) throw new Error(`There is no ${tag} or ${id}.`);
  const selection = { locale, zone, isZoneChosen: true, isStoreAvailable: true };
  const unknown = { unknownLocale: undefined, unknownZone: undefined, preferences: undefined, browserZone: undefined };
  return { ...selection, ...unknown, instant, encoding: 'identity', ...more };
}

const ask = async (pages: ClockPages, asked: PageRequest) => pages.page(asked, asked.encoding, asked.instant);

function bytesOf({ parts, length, encoding }: EncodedPage): Buffer {
  const body = Buffer.concat(parts);
  expect(body.length).toBe(length);
  return encoding === 'gzip' ? gunzipSync(body) : body;
}

const decoded = (page: EncodedPage): string => bytesOf(page).toString();

const selectedMark = ' selected="selected"';

const option = (key: string, name: string, effective: string) =>
  template.option({ key, name, selected: key === effective ? selectedMark : '' });

/** The page as the template makes it by itself, without being cut and put together. */
async function straight(asked: PageRequest): Promise<string> {
  const { locale, zone, isZoneChosen } = asked;
  const second = new Date(Math.floor(instant / 1000) * 1000);
  const clock = new Clock(asked, second, await names.in(locale, zone), formats);
  const { texts: nameTexts } = await names.localeLists(locale);
  const { timeFormat, digits } = formats.writer(locale);
  const { time: pattern, am, pm } = timeFormat;
  const { timestamp, date, time } = clock;
  return template.page({
    locale,
    period: rules.periodAt(zone, instant),
    timestamp,
    localeOptions: clock.locales
      .map(({ languageTag: key, displayName: name }) => option(key, name, locale.languageTag))
      .join(''),
    zoneOptions: clock.zones.map(({ id: key, displayName: name }) => option(key, name, zone.id)).join(''),
    date: { format: () => date.format(timestamp) },
    time: { format: () => time.format(timestamp) },
    alerts: '',
    isZoneChosen,
    format: JSON.stringify({ time: pattern, digits, am, pm }),
    link: choiceLink(asked),
    ...glance(asked, instant, nameTexts, parts),
    text: (key) => texts.text(locale, key),
    textLanguage: texts.languageAttributes(locale),
    assets,
    script,
  });
}

function marks(page: Buffer): number {
  let count = 0;
  for (let at = page.indexOf(selectedMark); at !== -1; at = page.indexOf(selectedMark, at + 1)) count++;
  return count;
}

// Going through all locales takes seconds, and longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

describe('ClockPages', () => {
  it.each([
    ['en-US', 'America/New_York'],
    ['ar-EG', 'Africa/Cairo'],
    ['zu-ZA', 'Etc/GMT-14'],
    ['af', 'Etc/GMT+12'],
    ['fr-CA', 'SystemV/PST8'],
    ['ja-JP', 'GMT+05:30'],
    ['de', 'GMT-13:00'],
  ])('joins the pieces to what the template renders, in %s and %s', async (tag, id) => {
    const asked = request(tag, id);
    expect(decoded(await ask(new ClockPages(parts), asked))).toBe(await straight(asked));
  });

  it('makes the same page for a locale that reuses the options of another', async () => {
    const pages = new ClockPages(parts);
    await ask(pages, request('en-AG', 'UTC'));
    const asked = request('en-ZM', 'Africa/Lusaka');
    expect(decoded(await ask(pages, asked))).toBe(await straight(asked));
  });

  it('has the same content in every encoding', async () => {
    const pages = new ClockPages(parts);
    for (const [tag, id] of [
      ['th-TH', 'Asia/Bangkok'],
      ['he', 'Etc/GMT+12'],
      ['en-US', 'Pacific/Kiritimati'],
    ] as const) {
      const plain = decoded(await ask(pages, request(tag, id)));
      expect(decoded(await ask(pages, request(tag, id, { encoding: 'gzip' })))).toBe(plain);
    }
  });

  it('escapes and truncates unknown stored values', async () => {
    const unknownLocale = `<script>alert("1")</script>${'x'.repeat(1000)}`;
    for (const encoding of ['identity', 'gzip'] as const) {
      const page = decoded(await ask(new ClockPages(parts), request('en', 'GMT', { unknownLocale, encoding })));
      expect(page).toContain(
        '<div role="alert">The language “\u2068&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;xxx',
      );
      expect(page).not.toContain('<script>alert');
      expect(page).not.toContain('x'.repeat(100));
    }
  });

  it('isolates the direction of unknown stored values, and replaces control characters', async () => {
    const page = decoded(
      await ask(new ClockPages(parts), request('en', 'GMT', { unknownLocale: '\u202eab\u0000c\u2069' })),
    );
    expect(page).toContain('The language “\u2068\ufffdab\ufffdc\ufffd\u2069” was');
  });

  it('marks the language of an alert if it is not that of the page', async () => {
    const page = decoded(await ask(new ClockPages(parts), request('agq', 'GMT', { isStoreAvailable: false })));
    expect(page).toMatch(/<div role="alert" lang="en" dir="ltr">Your saved choice cannot be read/);
  });

  it('marks the language of the title and the labels if it is not that of the page', async () => {
    const page = decoded(await ask(new ClockPages(parts), request('agq', 'GMT')));
    expect(page).toContain('<title lang="en" dir="ltr">Clock</title>');
    expect(page).toContain('<select class="col-lg" name="zoneID" aria-labelledby="zoneLabel" autocomplete="off">');
    expect(page).toContain('<button class="col-sm-1" type="submit" lang="en" dir="ltr" aria-label="Refresh">');
    expect(page).toMatch(/<footer lang="en" dir="ltr">.*<span id="zoneLabel" hidden>Time zone<\/span>/s);
    const german = decoded(await ask(new ClockPages(parts), request('de', 'GMT')));
    expect(german).toContain('<select class="col-lg" name="zoneID" aria-label="Zeitzone" autocomplete="off">');
    expect(german).toMatch(/<footer>[^<]*<\/footer>/);
  });

  it('selects exactly one option of each select, in every locale and in the first, middle and last zones', async () => {
    const pages = new ClockPages(parts);
    const ids = ['Etc/GMT+12', 'Pacific/Kiritimati', 'UTC', 'Asia/Kolkata', 'PST8PDT'];
    for (const [index, tag] of locales.tags.entries()) {
      const id = ids[index % ids.length] ?? 'UTC';
      const page = bytesOf(await ask(pages, request(tag, id, { encoding: index % 8 === 0 ? 'gzip' : 'identity' })));
      const isSelected = (key: string) => page.includes(`<option value="${key}"${selectedMark}>${key} - `);
      expect([tag, marks(page), isSelected(tag), isSelected(id)]).toEqual([tag, 2, true, true]);
    }
  });

  it('caches no more than its limit after all locales were requested', async () => {
    const pages = new ClockPages({ ...parts, bound: 1024 * 1024 });
    for (const tag of locales.tags.slice(0, 200)) await ask(pages, request(tag, 'UTC'));
    expect(pages.cached.bytes).toBeLessThanOrEqual(1024 * 1024);
    expect(pages.cached.count).toBeGreaterThan(0);
  });
});
