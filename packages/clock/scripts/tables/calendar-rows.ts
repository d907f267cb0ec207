import { Locales } from '../../src/locales/locales.ts';
import { calendarsWithTexts } from '../../src/tables/calendar-table.ts';
import { Tables } from '../../src/tables/tables.ts';
import { type CalendarTexts, calendarTexts } from './calendar-formats.ts';
import { languageSources } from './language-source.ts';

/** The text of `CalendarTable`, and each locale's row in it. */
export interface CalendarRows {
  /** The ICU that it comes from. */
  readonly icu: string;
  readonly text: string;
  readonly rowOf: (tag: string) => number;
}

/** Those of this Node, unless its ICU is older than the one that the tables were generated with. */
export function newestCalendarRows(tags: readonly string[], gregorianMonths: (source: string) => readonly string[]) {
  const { icu = '0' } = process.versions;
  return Number(icu) < Number(Tables.read().calendarTable().icu)
    ? keptCalendarRows()
    : intlCalendarRows(icu, tags, gregorianMonths);
}

/** Those of the tables as they are. A locale that is not among them has the row of the nearest. */
export function keptCalendarRows(tables = Tables.read()): CalendarRows {
  const locales = new Locales(tables, 'en-US');
  const rowOf = (tag: string) => {
    const position = locales.position(locales.nearest(tag) ?? locales.default);
    return tables.momentFormat(tables.row(position).formatGroup).calendars;
  };
  const { icu, text } = tables.calendarTable();
  return { icu, text, rowOf };
}

function intlCalendarRows(
  icu: string,
  tags: readonly string[],
  gregorianMonths: (source: string) => readonly string[],
): CalendarRows {
  const sourceOf = languageSources();
  const formatsOf = new Map<string, readonly string[]>();
  for (const tag of tags) {
    const source = sourceOf(tag);
    if (formatsOf.has(source)) continue;
    const months = gregorianMonths(source);
    formatsOf.set(
      source,
      calendarsWithTexts.map((calendar) => JSON.stringify(packedTexts(calendarTexts(tag, calendar), months))),
    );
  }
  // Sorted, because similar lines next to each other take less room.
  const formats = [...new Set([...formatsOf.values()].flat())].sort();
  const places = new Map(formats.map((format, place) => [format, place]));
  const rowOfSource = (source: string) => (formatsOf.get(source) ?? []).map((format) => places.get(format)).join(' ');
  const rows = [...new Set([...formatsOf.keys()].map(rowOfSource))];
  return {
    icu,
    text: [icu, rows.join(','), ...formats].join('\n'),
    rowOf: (tag) => rows.indexOf(rowOfSource(sourceOf(tag))),
  };
}

/** Without the Gregorian months, which the locale has anyway. */
function packedTexts({ months, ...rest }: CalendarTexts, gregorian: readonly string[]): CalendarTexts {
  const isGregorian = months?.length === gregorian.length && months.every((name, place) => name === gregorian[place]);
  return months === undefined || isGregorian ? rest : { months, ...rest };
}
