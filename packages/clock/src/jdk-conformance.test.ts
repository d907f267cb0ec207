import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { LocaleFormats } from './formatting/locale-formats.ts';
import { Locales } from './locales/locales.ts';
import { Names } from './names.ts';
import { Tables } from './tables/tables.ts';
import { ZoneRules } from './zones/zone-rules.ts';
import { Zones } from './zones/zones.ts';

// What JDK 25 says about locales, zones and orders, in four languages. Its names are those of CLDR 47.
interface JdkLocale {
  readonly eff: string;
  readonly localeOrder: readonly string[];
  readonly zoneOrder: readonly string[];
  readonly dt: readonly { readonly z: string; readonly t: number; readonly time: string; readonly date: string }[];
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../test/data/jdk25-${name}.json`, import.meta.url), 'utf8'));
const base = read('base') as { localeTags: string[]; zones: [id: string, raw: number, dst: number][] };

const tables = Tables.read();
const locales = new Locales(tables, 'en-US');
const zones = new Zones(tables, 'UTC');
const names = new Names(tables, locales, zones);

/** Java writes variants in capitals. */
const asBcp47 = (tag: string) => tag.replace(/-[A-Z]{5,}$/, (variant) => variant.toLowerCase());

/** The JDK's locales that are not offered, and why. */
const missing = new Map([
  ...'ann bal-Latn frr ht mdf pis sms'.split(' ').map((tag) => [tag, "Node's ICU has no data"] as const),
  ['zh-Latn', "Node's ICU has no data"],
  ['sr-CS', 'a country that is no more'],
  ['th-TH-u-nu-thai-x-lvariant-TH', "Java's own way to write th-TH with Thai digits"],
  ['ja-JP-u-ca-japanese-x-lvariant-JP', "Java's own way to write ja-JP with the imperial calendar"],
]);
const reasonFor = (tag: string) => [...missing].find(([known]) => tag === known || tag.startsWith(`${known}-`))?.[1];

// Going through all locales takes seconds, and longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

describe('against JDK 25', () => {
  it('has the same 632 zones, with the same raw offsets and daylight amounts', () => {
    const ours = zones.all.map(({ id, rawOffset, daylightSavings }) => [id, rawOffset, daylightSavings]);
    const byId = ([one = '']: (string | number)[], [other = '']: (string | number)[]) => (one < other ? -1 : 1);
    expect(ours.sort(byId)).toEqual([...base.zones].sort(byId));
  });

  it('lacks fewer than 30 of its locales, each for a known reason', () => {
    const lacking = [...new Set(base.localeTags)].filter((tag) => locales.find(asBcp47(tag)) === undefined);
    expect(lacking.length).toBeLessThan(30);
    expect(lacking.filter((tag) => reasonFor(tag) === undefined)).toEqual([]);
  });

  describe.each(['ar-EG', 'de-DE', 'en-US', 'ja-JP'])('in %s', (tag) => {
    const jdk = read(tag) as JdkLocale;
    const effective = locales.find(tag) ?? locales.default;
    const lists = names.in(effective);

    it('sorts the same', async () => {
      const { locales: sortedLocales, zones: sortedZones } = await lists;
      const common = new Set(
        base.localeTags.filter((each) => each !== 'nn-NO' && locales.find(each)?.languageTag === each),
      );
      expect(sortedLocales.map(({ languageTag }) => `${languageTag}`).filter((each) => common.has(each))).toEqual(
        jdk.localeOrder.filter((each) => common.has(each)),
      );
      expect(sortedZones.map(({ id }) => `${id}`)).toEqual(jdk.zoneOrder);
    });

    it('formats dates and times the same', () => {
      const formats = new LocaleFormats(tables, locales, ZoneRules.read());
      for (const { z, t, time, date } of jdk.dt) {
        const zone = zones.find(z) ?? zones.default;
        // V8 puts a plain space where CLDR has a narrow one.
        expect(formats.time(effective, zone, t)).toBe(time.replaceAll('\u202f', ' '));
        expect(formats.date(effective, zone, t)).toBe(date);
      }
    });
  });
});

describe('in every language', () => {
  it('only Etc/GMT zones have a bare offset as their name', async () => {
    const lists = new Set(locales.tags.map((_, position) => tables.row(position).list));
    for (const list of lists) {
      const position = locales.tags.findIndex((_, each) => tables.row(each).list === list);
      const effective = locales.find(locales.tags[position] ?? '') ?? locales.default;
      const bare = (await names.in(effective)).zones.filter(
        ({ id, displayName }) => /[+\-−–‎]\p{Nd}{1,2}[:.]?\p{Nd}{2}/u.test(displayName) && !id.startsWith('Etc/GMT'),
      );
      expect(bare.map(({ id, displayName }) => `${effective.languageTag} ${id} ${displayName}`)).toEqual([]);
    }
  });
});
