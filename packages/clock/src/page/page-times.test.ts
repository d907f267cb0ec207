import { readFileSync } from 'node:fs';
import { Messages } from '@jig/application/internal';
import { describe, expect, it, vi } from 'vitest';
import { LocaleFormats } from '../formatting/locale-formats.ts';
import { Locales } from '../locales/locales.ts';
import { Names } from '../names.ts';
import { packageFolder } from '../package-folder.ts';
import { Tables } from '../tables/tables.ts';
import { PackagedRules } from '../zones/packaged-rules.ts';
import { ZoneRules } from '../zones/zone-rules.ts';
import { Zones } from '../zones/zones.ts';
import { ClockPages } from './clock-pages.ts';
import { PageTemplate } from './page-template.ts';
import { PageTexts } from './page-texts.ts';

/** What Python reads in the tz database: see scripts/zone-offsets.py. */
interface ZoneOffsets {
  readonly groups: readonly { readonly zones: readonly string[]; readonly changes: readonly [number, number][] }[];
}

const expected = JSON.parse(
  readFileSync(new URL('../../test/data/zone-offsets.json', import.meta.url), 'utf8'),
) as ZoneOffsets;

const tables = Tables.read();
const locales = new Locales(tables, 'en-US');
const zones = new Zones(tables, 'UTC');
// The packaged rules, also where this Node's own are newer.
const rules = new ZoneRules(PackagedRules.read(), { icu: '78.2', tz: '2025c' });
const formats = new LocaleFormats(tables, locales, rules);
const messages = new Messages();
messages.add('clock', new URL('messages/', packageFolder));
const pages = new ClockPages({
  template: new PageTemplate(),
  names: new Names(tables, locales, zones),
  zones,
  formats,
  rules,
  texts: new PageTexts(messages, { cldr: '48.2.0', tz: rules.release }),
  assets: { stylesheet: '/a.css', bootstrap: '/b.js', jquery: '/j.js', search: '/s.js', searchData: '/s.json' },
  script: '',
  bound: 8 * 1024 * 1024,
});
const second = 1000;
const start = Date.UTC(2026, 10, 15);
const end = Date.UTC(2028, 11, 31);

/** Moments of two years and the seconds around every change in any zone, in order. */
function moments(): number[] {
  const spread = Array.from({ length: 60 }, (_, index) => start + index * (end - start) * (1 / 60));
  const changes = expected.groups.flatMap((group) => group.changes.map(([from]) => from * second));
  const around = changes.flatMap((change) => [change - second, change]);
  const wanted = [...spread, ...around].map((instant) => Math.floor(instant / second) * second);
  return [...new Set(wanted)].filter((instant) => start <= instant && instant <= end).sort((a, b) => a - b);
}

const months = 'January February March April May June July August September October November December'.split(' ');
const twoDigits = (number: number) => String(number).padStart(2, '0');

/** As American English writes it, made without `Intl`. */
function written(instant: number, offset: number): [time: string, date: string] {
  const local = new Date(instant + offset * second);
  const hours = local.getUTCHours();
  return [
    `${hours % 12 || 12}:${twoDigits(local.getUTCMinutes())}:${twoDigits(local.getUTCSeconds())} ${hours < 12 ? 'AM' : 'PM'}`,
    `${months[local.getUTCMonth()]} ${local.getUTCDate()}, ${local.getUTCFullYear()}`,
  ];
}

const offsetAt = (changes: readonly [number, number][], instant: number) =>
  changes.findLast(([from]) => from * second <= instant)?.[1] ?? Number.NaN;

const spaced = (text: string | undefined) => text?.replaceAll('\u202f', ' ');

vi.setConfig({ testTimeout: 120_000 });

describe('the time and the date in all 632 zones are those of an independent reader of the newest tz database', () => {
  const locale = locales.default;

  it('at moments of two years, among them the seconds around every change', () => {
    const all = moments();
    expect(all.length).toBeGreaterThan(150);
    let compared = 0;
    for (const { zones: ids, changes } of expected.groups) {
      const texts = all.map((instant) => written(instant, offsetAt(changes, instant)));
      for (const id of ids) {
        const zone = zones.find(id) ?? zones.default;
        const shown = all.map((instant) => [
          spaced(formats.time(locale, zone, instant)),
          formats.date(locale, zone, instant),
        ]);
        expect([id, shown]).toEqual([id, texts]);
        compared++;
      }
    }
    expect(compared).toBe(632);
  });

  it.each(['2026-11-15T19:31:00Z', '2027-03-14T10:00:00Z', '2027-07-01T23:59:59Z', '2028-10-29T01:00:00Z'])(
    'on the page itself, at %s',
    async (text) => {
      const instant = Date.parse(text);
      for (const { zones: ids, changes } of expected.groups) {
        const offset = offsetAt(changes, instant);
        for (const id of ids) {
          const zone = zones.find(id) ?? zones.default;
          const unknown = { unknownLocale: undefined, unknownZone: undefined };
          const visitor = { preferences: undefined, browserZone: undefined };
          const selection = { locale, zone, isZoneChosen: true, isStoreAvailable: true, ...unknown, ...visitor };
          const { parts } = await pages.page(selection, 'identity', instant);
          const page = Buffer.concat(parts);
          // The rest are the same long lists in every zone.
          const middle = page.subarray(page.indexOf('<h1'), page.lastIndexOf('</h1>') + '</h1>'.length).toString();
          const headings = Array.from(middle.matchAll(/<h1[^>]*>([^<]*)<\/h1>/g), ([, heading]) => spaced(heading));
          expect([id, headings]).toEqual([id, written(instant, offset)]);
          expect([id, page.includes(`data-offset="${offset * second}"`)]).toEqual([id, true]);
        }
      }
    },
  );
});
