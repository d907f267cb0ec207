import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LocaleFormats } from './formatting/locale-formats.ts';
import { Locales } from './locales/locales.ts';
import { Names } from './names.ts';
import { Tables } from './tables/tables.ts';
import { ZoneRules } from './zones/zone-rules.ts';
import { Zones } from './zones/zones.ts';

/** What ICU4J 78.3 (CLDR 48.2) says, see test/data/README.md. */
interface Icu4j {
  readonly instant: number;
  readonly zone: string;
  readonly tags: readonly string[];
  readonly zones: readonly string[];
  readonly names: Readonly<Record<string, { readonly locales: readonly string[]; readonly zones: readonly string[] }>>;
  readonly dt: readonly (readonly [tag: string, time: string, date: string])[];
}

/** The same of long dates: by tag, one for each calendar. */
interface CalendarDates {
  readonly instant: number;
  readonly calendars: readonly string[];
  readonly dates: Readonly<Record<string, readonly string[]>>;
}

const icu4j = JSON.parse(readFileSync(new URL('../test/data/icu4j78.json', import.meta.url), 'utf8')) as Icu4j;
const tables = Tables.read();
const locales = new Locales(tables, 'en-US');
const zones = new Zones(tables, 'UTC');
const names = new Names(tables, locales, zones);
const formats = new LocaleFormats(tables, locales, ZoneRules.read());
const find = (tag: string) => locales.find(tag) ?? locales.default;

/** White space and marks of direction do not count. */
const bare = (text: string) => text.replace(/[\s\u200e\u200f\u061c]+/gu, ' ').trim();
const isOffset = (name: string) => /\p{Nd}{2}:?\p{Nd}{2}$/u.test(name) || name === 'GMT';

describe('against ICU4J 78.3', () => {
  it('has the same locales and zones', () => {
    expect(locales.tags).toEqual(icu4j.tags);
    expect(zones.all.map(({ id }) => `${id}`)).toEqual(icu4j.zones);
  });

  it('writes the same time and date in every locale', () => {
    const zone = zones.find(icu4j.zone) ?? zones.default;
    const ours = icu4j.dt.map(([tag]) => [
      tag,
      bare(formats.time(find(tag), zone, icu4j.instant)),
      bare(formats.date(find(tag), zone, icu4j.instant)),
    ]);
    expect(ours).toEqual(icu4j.dt.map(([tag, time, date]) => [tag, bare(time), bare(date)]));
  });

  it('writes the same long date in every calendar, in a locale of each way of writing them', () => {
    const file = new URL('../test/data/icu4j78-calendars.json', import.meta.url);
    const { instant, calendars, dates } = JSON.parse(readFileSync(file, 'utf8')) as CalendarDates;
    expect(Object.keys(dates).length).toBeGreaterThan(150);
    for (const [tag, expected] of Object.entries(dates)) {
      const ours = calendars.map((calendar) => {
        const preferences = { calendar, numbers: undefined, hourCycle: undefined };
        return bare(formats.date(find(tag), zones.gmt, instant, preferences));
      });
      expect([tag, ...ours]).toEqual([tag, ...expected]);
    }
  });

  describe.each(Object.keys(icu4j.names))('in %s', (tag) => {
    const lists = names.in(find(tag));
    const expected = icu4j.names[tag] ?? { locales: [], zones: [] };

    it('has the same locale names, but for languages that CLDR has no name for, which are named in English', async () => {
      const ours = new Map(
        (await lists).locales.map(({ languageTag, displayName }) => [`${languageTag}`, displayName]),
      );
      const differing = icu4j.tags.filter((each, index) => ours.get(each) !== expected.locales[index]);
      expect(differing.filter((each) => !/^pms\b/.test(each) || tag !== 'ko-KR')).toEqual([]);
      expect(differing.length / icu4j.tags.length).toBeLessThan(0.005);
    });

    it('has the same zone name wherever ICU4J has one', async () => {
      const ours = new Map((await lists).zones.map(({ id, displayName }) => [`${id}`, displayName]));
      const differing = icu4j.zones.filter((id, index) => ours.get(id) !== expected.zones[index]);
      const named = differing.filter((id) => !isOffset(expected.zones[icu4j.zones.indexOf(id)] ?? ''));
      expect(named).toEqual([]);
      expect(differing.length).toBeLessThan(30);
    });
  });

  it.each([
    ['ko-KR', '오전 8:00:00'],
    ['ar-EG', '٨:٠٠:٠٠ ص'],
    ['ar-Arab-EG', '٨:٠٠:٠٠ ص'],
    ['es-AR', '08:00:00'],
    ['nds', 'Klock 8.00:00'],
    ['zh-Hant', '上午8:00:00'],
    ['th', '08:00:00'],
  ])('writes the time in %s as CLDR does', (tag, time) => {
    const zone = zones.find('America/New_York') ?? zones.default;
    expect(bare(formats.time(find(tag), zone, icu4j.instant))).toBe(time);
  });
});
