import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { digestOf, shownTexts } from '../../scripts/shown-texts.ts';
import { calendarTexts } from '../../scripts/tables/calendar-formats.ts';
import { differencesPage } from '../../scripts/tables/differences.ts';
import { makeTables } from '../../scripts/tables/make-tables.ts';
import { Locales } from '../locales/locales.ts';
import { ZoneRules } from '../zones/zone-rules.ts';
import { calendarsWithTexts } from './calendar-table.ts';
import { MomentTable } from './moment-table.ts';
import { Tables } from './tables.ts';

const tables = Tables.read();
const { icu, tz } = process.versions;
// Which locales there are and how they sort depends on the ICU of the Node that generates the tables, and on nothing else.
const isOfThisNode = tables.madeFrom.icu === icu && tables.madeFrom.tz === tz;
const made = isOfThisNode ? makeTables() : makeTables(tables.tags());

describe('the tables in data/', () => {
  it('have the locales, parts and names that the script generates from the installed CLDR', async () => {
    const texts = await tables.texts();
    expect(tables.tags().join(' ')).toBe(made.index.tags);
    expect(new Tables(made.index).parts()).toEqual(tables.parts());
    expect(tables.madeFrom.cldr).toBe(made.index.versions.cldr);
    const names = made.index.lengths.names.reduce((sum, length) => sum + length, 0);
    const generated = Buffer.from(made.text);
    expect(Buffer.from(texts.toString()).subarray(0, names).equals(generated.subarray(0, names))).toBe(true);
    if (isOfThisNode) expect(texts.toString() === made.text).toBe(true);
  });

  it('have the zones that the script generates', () => {
    const generated = new Tables(made.index).zones();
    expect(JSON.stringify(generated.map(({ id, group, daylightGroup }) => [id, group, daylightGroup]))).toBe(
      JSON.stringify(tables.zones().map(({ id, group, daylightGroup }) => [id, group, daylightGroup])),
    );
    if (isOfThisNode) expect(JSON.stringify(generated)).toBe(JSON.stringify(tables.zones()));
  });

  it('give the same names, times and dates on every Node', { timeout: 60_000 }, async () => {
    const digest = readFileSync(new URL('../../data/shown-texts.sha256', import.meta.url), 'utf8').trim();
    expect(digestOf(await shownTexts())).toBe(digest);
  });

  it('have a page that lists every difference from ICU4J with its reason', async () => {
    const page = readFileSync(new URL('../../data/differences.md', import.meta.url), 'utf8');
    expect(page).toBe(await differencesPage(tables));
    expect(page).not.toContain('unexplained');
  });

  it('take no more than 577 KB', () => {
    const bytes = ['tables.br', 'moments.br', 'calendars.br'].map(
      (file) => statSync(new URL(`../../data/${file}`, import.meta.url)).size,
    );
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(577_000);
  });

  it('have the dates of other calendars, by the texts of the ICU that they were generated with', () => {
    const isOfThisIcu = Number(icu) === Number(tables.calendarTable().icu);
    const locales = new Locales(tables, 'en-US');
    for (const tag of ['en', 'de-CH', 'he', 'ja', 'zh-Hant-TW', 'ar-EG', 'cs', 'th', 'fa-AF', 'ko']) {
      const position = locales.position(locales.find(tag) ?? locales.default);
      const format = tables.momentFormat(tables.row(position).formatGroup);
      for (const calendar of calendarsWithTexts) {
        const generated = calendarTexts(tag, calendar);
        const kept = tables.calendarFormat(format, calendar);
        expect(Object.keys(kept ?? {})).toEqual(expect.arrayContaining(Object.keys(generated)));
        if (isOfThisIcu) expect(kept).toMatchObject(generated);
      }
    }
  });

  it('have a row and a format for every locale', () => {
    const again = new Tables(made.index);
    const moments = new MomentTable(made.moments);
    for (const position of tables.tags().keys()) {
      const { list, formatGroup } = tables.row(position);
      expect(again.row(position)).toMatchObject({ list, formatGroup });
      expect(tables.momentFormat(formatGroup)).toEqual(moments.format(formatGroup));
    }
  });
});

describe('Tables', () => {
  it('report in their health the release of CLDR and the tz database in use, and why it is not the packaged one', () => {
    const packaged = { release: '2026f', source: 'a package', available: { packaged: '2026f', icu: '2025c' } };
    const { cldr } = tables.madeFrom;
    expect(tables.health(packaged)).toMatchObject({
      state: `ready; CLDR ${cldr}, time zones 2026f`,
      details: { timeZones: packaged },
    });
    const ofIcu = new ZoneRules(undefined, { icu: '78.2', tz: '2025c' });
    expect(tables.health(ofIcu).state).toBe(
      `ready; CLDR ${cldr}, time zones 2025c, since the package moment-timezone cannot be read`,
    );
  });
});
