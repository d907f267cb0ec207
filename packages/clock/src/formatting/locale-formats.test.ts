import { describe, expect, it, vi } from 'vitest';
import { Locales } from '../locales/locales.ts';
import { Tables } from '../tables/tables.ts';
import { ZoneRules } from '../zones/zone-rules.ts';
import { Zones } from '../zones/zones.ts';
import { LocaleFormats } from './locale-formats.ts';

const tables = Tables.read();
const locales = new Locales(tables, 'en-US');
const zones = new Zones(tables, 'UTC');
const formats = new LocaleFormats(tables, locales, ZoneRules.read());
const zone = zones.find('Asia/Kathmandu') ?? zones.default;

// Going through all locales takes seconds, and longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

describe('LocaleFormats', () => {
  it('formats in every locale as Intl does, with one writer per format group', () => {
    const instants = [
      Date.UTC(2026, 2, 8, 3, 45, 30),
      Date.UTC(1999, 11, 31, 23, 59, 59),
      Date.UTC(2031, 8, 9, 13, 5, 7),
    ];
    for (const tag of locales.tags) {
      const locale = locales.find(tag) ?? locales.default;
      const time = new Intl.DateTimeFormat(tag, { timeStyle: 'medium', timeZone: 'Asia/Kathmandu' });
      const date = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'Asia/Kathmandu' });
      for (const instant of instants) {
        expect([tag, formats.time(locale, zone, instant)]).toEqual([tag, time.format(instant)]);
        expect([tag, formats.date(locale, zone, instant)]).toEqual([tag, date.format(instant)]);
      }
    }
    // Who writes alike was found with the ICU of the tables; with another, each locale has a formatter of its own.
    if (tables.sameIcu) expect(formats.size).toBeLessThan(locales.size / 2);
    else expect(formats.size).toBe(locales.size);
  });

  it.each([
    ['th-TH', 'buddhist', 'latn'],
    ['fa-IR', 'persian', 'arabext'],
    ['ar-EG', 'gregory', 'arab'],
  ])('uses the calendar and the digits of %s', (tag, calendar, numberingSystem) => {
    const locale = locales.find(tag) ?? locales.default;
    expect(formats.resolved(locale, 'long date')).toMatchObject({ calendar, numberingSystem });
  });
});
