import { writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { Tables } from '../src/tables/tables.ts';
import { digestOf, shownTexts } from './shown-texts.ts';
import { newestCalendarRows } from './tables/calendar-rows.ts';
import { differencesPage } from './tables/differences.ts';
import { makeTables } from './tables/make-tables.ts';
import { gregorianMonths } from './tables/moment-formats.ts';
import { provenance, unicodeLicence } from './tables/provenance.ts';
import { supportedLocales } from './tables/supported-locales.ts';

const tags = supportedLocales();
const { index, text, moments, calendars } = makeTables(tags, newestCalendarRows(tags, gregorianMonths));
const folder = new URL('../data/', import.meta.url);
const compressed = (table: string) =>
  brotliCompressSync(table, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });

for (const [file, content] of [
  ['tables.json', `${JSON.stringify(index)}\n`],
  ['tables.br', compressed(text)],
  ['moments.br', compressed(moments)],
  ['calendars.br', compressed(calendars)],
  ['README.md', provenance(index.versions)],
  ['LICENSE', unicodeLicence()],
] as const) {
  writeFileSync(new URL(file, folder), content);
  console.log(`${file}: ${content.length} bytes`);
}

writeFileSync(new URL('differences.md', folder), await differencesPage(Tables.read()));
writeFileSync(new URL('shown-texts.sha256', folder), `${digestOf(await shownTexts())}\n`);
