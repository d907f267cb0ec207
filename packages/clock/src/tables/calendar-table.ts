import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { CalendarFormat } from './moment-table.ts';

/** The calendars with texts, in the order of the table's rows. */
export const calendarsWithTexts = [
  'buddhist',
  'chinese',
  'coptic',
  'dangi',
  'ethioaa',
  'ethiopic',
  'hebrew',
  'indian',
  'islamic',
  'japanese',
  'persian',
  'roc',
] as const;

/** Those of Islam differ in their arithmetic, not in their texts. */
const textsOf = (calendar: string) => (calendar.startsWith('islamic') ? 'islamic' : calendar);

/** How long dates are written in other calendars than the Gregorian one. */
export class CalendarTable {
  /** The ICU that the texts come from. */
  readonly icu: string;
  readonly text: string;
  readonly #rows: readonly string[];
  readonly #formats: readonly string[];

  /** Read when the first such date is written; small enough to be decompressed synchronously. */
  static read(file: URL): CalendarTable {
    return new CalendarTable(brotliDecompressSync(readFileSync(file)).toString());
  }

  /** @param text the version of ICU; the rows, each with a format's line for every calendar; the formats as JSON, one in a line */
  constructor(text: string) {
    const [icu = '', rows = '', ...formats] = text.split('\n');
    this.icu = icu;
    this.text = text;
    this.#rows = rows.split(',');
    this.#formats = formats;
  }

  /** @param row of the locale, as its `MomentFormat` says */
  format(row: number, calendar: string): CalendarFormat {
    const place = calendarsWithTexts.indexOf(textsOf(calendar) as (typeof calendarsWithTexts)[number]);
    const line = this.#formats[Number(this.#rows[row]?.split(' ')[place])];
    if (line === undefined) throw new Error(`The tables have no texts of the calendar ${calendar}.`);
    return { ...(JSON.parse(line) as Omit<CalendarFormat, 'calendar'>), calendar };
  }
}
