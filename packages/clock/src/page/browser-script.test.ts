import { describe, expect, it } from 'vitest';
import { matches, searchTexts } from '../../browser/search-texts.ts';
import { writeTime } from '../../browser/time-format.ts';
import { LocaleFormats } from '../formatting/locale-formats.ts';
import { Locales } from '../locales/locales.ts';
import { Tables } from '../tables/tables.ts';
import { ZoneRules } from '../zones/zone-rules.ts';
import { readInlineScript } from './clock-assets.ts';

const tables = Tables.read();
const locales = new Locales(tables, 'en-US');
const formats = new LocaleFormats(tables, locales, ZoneRules.read());

describe('the script of the page', () => {
  it('writes the time as the server does, in every locale and at every hour', () => {
    const moments = Array.from({ length: 24 }, (_, hour) =>
      Date.UTC(2026, 0, 1, hour, hour === 12 ? 0 : 2 * hour, hour),
    );
    moments.push(Date.UTC(2026, 0, 1, 12), Date.UTC(2026, 0, 1));
    for (const tag of locales.tags) {
      const writer = formats.writer(locales.find(tag) ?? locales.default);
      const { digits, timeFormat } = writer;
      const ours = moments.map((moment) => writeTime({ ...timeFormat, digits }, moment));
      expect([tag, ours]).toEqual([tag, moments.map((moment) => writer.time(moment))]);
    }
  });

  it('is minified, and half as large as the 9.4 KB that it had', () => {
    expect(readInlineScript().length).toBeLessThan(4700);
    expect(readInlineScript()).not.toContain('\n');
  });
});

describe('searching a list', () => {
  const options = [
    { value: 'de-CH', text: 'de-CH - German (Switzerland)' },
    { value: 'America/New_York', text: 'America/New_York - Eastern Standard Time' },
    { value: 'Asia/Kolkata', text: 'Asia/Kolkata - India Standard Time' },
    { value: 'Pacific/Norfolk', text: 'Pacific/Norfolk - Norfolk Island Standard Time' },
  ];
  const data = {
    locales: { 'de-CH': 'Deutsch (Schweiz)' },
    zones: {
      'America/New_York': [-300, 60],
      'Asia/Kolkata': [330, 0],
      'Pacific/Norfolk': [660, 60],
    },
  } as const;
  const found = (query: string) => matches(searchTexts(options, data), query).map((place) => options[place]?.value);

  it.each([
    ['', ['de-CH', 'America/New_York', 'Asia/Kolkata', 'Pacific/Norfolk']],
    ['GERMAN', ['de-CH']],
    ['deutsch', ['de-CH']],
    ['schweiz', ['de-CH']],
    ['new york', ['America/New_York']],
    ['york eastern', ['America/New_York']],
    ['olk', ['Asia/Kolkata', 'Pacific/Norfolk']],
    ['+5:30', ['Asia/Kolkata']],
    ['gmt+5:30', ['Asia/Kolkata']],
    ['utc+05:30', ['Asia/Kolkata']],
    ['−5', ['America/New_York']],
    ['-4', ['America/New_York']],
    ['+1', []],
    ['+11', ['Pacific/Norfolk']],
    ['xyz', []],
    ['(', ['de-CH']],
    ['\\', []],
  ])('for %j finds %j', (query, values) => {
    expect(found(query)).toEqual(values);
  });

  it('finds words at their start before words inside of others', () => {
    const texts = ['xkol', 'asia/kolkata'];
    expect(matches(texts, 'kol')).toEqual([1, 0]);
  });

  it('works without the data', () => {
    expect(matches(searchTexts(options, undefined), 'kolk')).toEqual([2]);
  });
});
