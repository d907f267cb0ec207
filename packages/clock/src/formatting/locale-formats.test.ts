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

const at = (tag: string, instant: number) => {
  const { locale, preferences } = locales.read(tag) ?? { locale: locales.default, preferences: undefined };
  return [formats.time(locale, zone, instant, preferences), formats.date(locale, zone, instant, preferences)];
};

// 9:05:07 in the morning of the second of March, and 12 o'clock sharp.
const morning = Date.UTC(2026, 2, 2, 3, 20, 7);
const noon = Date.UTC(2026, 2, 2, 6, 15);

describe('LocaleFormats', () => {
  it('formats in all locales with a third as many writers', () => {
    for (const tag of locales.tags) formats.time(locales.find(tag) ?? locales.default, zone, morning);
    expect(formats.size).toBeLessThan(locales.size / 3);
  });

  it('formats most locales as Intl does for the hours of a day and the days of a year', () => {
    const moments = Array.from({ length: 73 }, (_, index) => Date.UTC(2026, 0, 1 + 5 * index, index, 7 * index, index));
    const differing = locales.tags.filter((tag) => {
      const locale = locales.find(tag) ?? locales.default;
      const time = new Intl.DateTimeFormat(tag, { timeStyle: 'medium', timeZone: 'Asia/Kathmandu' });
      const date = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'Asia/Kathmandu' });
      return moments.some(
        (moment) =>
          formats.time(locale, zone, moment) !== time.format(moment) ||
          formats.date(locale, zone, moment) !== date.format(moment),
      );
    });
    // Another release of CLDR, or the hour cycle that V8 prefers to the pattern's.
    expect(differing.length).toBeLessThan(40);
  });

  it.each([
    ['en-US', '9:05:07 AM', 'March 2, 2026'],
    ['de', '09:05:07', '2. März 2026'],
    ['zh-Hant', '上午9:05:07', '2026年3月2日'],
    ['yo', '9:5:7', '2 Oṣù Ẹrẹ̀nà 2026'],
    ['th-TH', '09:05:07', '2 มีนาคม 2569'],
    ['th-TH-u-ca-gregory', '09:05:07', '2 มีนาคม ค.ศ. 2026'],
    ['fa-IR', '۹:۰۵:۰۷', '۱۱ اسفند ۱۴۰۴'],
    ['ja-JP-u-ca-japanese', '9:05:07', '令和8年3月2日'],
    ['ar-EG-u-nu-latn', '9:05:07 ص', '2 مارس 2026'],
    ['en-US-u-nu-arab', '٩:٠٥:٠٧ AM', 'March ٢, ٢٠٢٦'],
    ['de-u-hc-h12', '9:05:07 AM', '2. März 2026'],
    ['en-US-u-hc-h23', '09:05:07', 'March 2, 2026'],
    ['en-US-u-hc-h24', '09:05:07', 'March 2, 2026'],
    ['ja-u-hc-h11', '午前9:05:07', '2026年3月2日'],
    ['en-u-ca-iso8601', '9:05:07 AM', 'March 2, 2026'],
    ['en-u-ca-buddhist', '9:05:07 AM', 'March 2, 2569 BE'],
    ['en-u-ca-hebrew-nu-arab', '٩:٠٥:٠٧ AM', '١٣ Adar ٥٧٨٦'],
    ['zh-u-ca-chinese', '09:05:07', '2026丙午年正月十四'],
    ['fa-AF-u-ca-islamic', '۹:۰۵:۰۷', '۱۳ رمضان ۱۴۴۷ ه‍.ق.'],
  ])('writes %s as %s and %s', (tag, time, date) => {
    expect(at(tag, morning)).toEqual([time, date]);
  });

  it.each([
    ['zh-Hant', '中午12:00:00', '中午12:00:01'],
    ['en-US', '12:00:00 PM', '12:00:01 PM'],
    ['ja-u-hc-h11', '午後0:00:00', '午後0:00:01'],
  ])('writes noon in %s as %s', (tag, sharp, later) => {
    expect([at(tag, noon)[0], at(tag, noon + 1000)[0]]).toEqual([sharp, later]);
  });

  it('writes midnight with twelve, zero or twenty-four hours, as asked for', () => {
    const midnight = Date.UTC(2026, 2, 1, 18, 15);
    const times = ['h11', 'h12', 'h23', 'h24'].map((cycle) => at(`en-u-hc-${cycle}`, midnight)[0]);
    expect(times).toEqual(['0:00:00 AM', '12:00:00 AM', '00:00:00', '24:00:00']);
  });

  it('keeps few formats when thousands of tags with a Unicode extension are asked for', () => {
    const own = new LocaleFormats(tables, locales, ZoneRules.read());
    const calendars = 'buddhist chinese coptic hebrew islamic-civil japanese persian roc'.split(' ');
    const asked = locales.tags.flatMap((tag, place) =>
      ['h11', 'h12', 'h23', 'h24'].map((cycle) => `${tag}-u-ca-${calendars[place % 8]}-hc-${cycle}-nu-thai`),
    );
    let most = 0;
    for (const tag of asked) {
      const { locale, preferences } = locales.read(tag) ?? {};
      if (locale) own.date(locale, zone, morning, preferences);
      most = Math.max(most, own.preferringSize);
    }
    expect(asked.length).toBeGreaterThan(4000);
    expect(most).toBe(200);
  });

  it.each([
    ['th-TH', 'buddhist', 'latn'],
    ['fa-IR', 'persian', 'arabext'],
    ['ar-EG', 'gregory', 'arab'],
  ])('uses the calendar and the digits of %s', (tag, calendar, numbers) => {
    expect(formats.writer(locales.find(tag) ?? locales.default)).toMatchObject({ calendar, numbers });
  });
});
