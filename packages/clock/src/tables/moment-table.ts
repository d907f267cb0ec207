import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

/** A long date in one calendar: a template such as `{M} {d1}, {y1}`, and the texts of the fields without a width. */
export interface CalendarFormat {
  readonly calendar: string;
  readonly date: string;
  readonly months?: readonly string[];
  /** How a leap month is called after another: `{0}bis`. */
  readonly leap?: string;
  readonly days?: readonly string[];
  readonly eras?: readonly string[];
  /** The first year of an era, if it is not written with a digit. */
  readonly first?: string;
  /** The names of sixty years. */
  readonly cycle?: readonly string[];
}

/** A medium time: a template such as `{h1}:{m2}:{s2} {a}`, and the texts of the periods of the day. */
export interface TimeFormat {
  readonly time: string;
  readonly am: string;
  readonly pm: string;
  /** For each hour, if the template has the field `{B}`. */
  readonly periods?: readonly string[];
  /** Of twelve o'clock sharp, if it has a name in place of that of its hour. */
  readonly noon?: string;
}

/** How CLDR formats times and dates in a locale. */
export interface MomentFormat extends TimeFormat {
  /** The numbering system. */
  readonly numbers: string;
  /** The times with a clock of 12 and of 24 hours, for those who ask for another one than the locale's. */
  readonly time12: string;
  readonly time24: string;
  readonly gregory: CalendarFormat;
  /** The locale's own calendar, if it is another one. */
  readonly calendar?: string;
  /** The row with its formats in `CalendarTable`. */
  readonly calendars: number;
}

/** The formats of all format groups, and the digits of all numbering systems. */
export class MomentTable {
  readonly #digits: ReadonlyMap<string, string>;
  readonly #lines = new Map<number, string>();

  /** Small enough to be decompressed synchronously. */
  static read(file: URL): MomentTable {
    return new MomentTable(brotliDecompressSync(readFileSync(file)).toString());
  }

  /** @param text the digits as JSON; then one line per group: its position, and its format as JSON */
  constructor(text: string) {
    const [digits = '{}', ...lines] = text.split('\n');
    this.#digits = new Map(Object.entries(JSON.parse(digits) as Record<string, string>));
    for (const line of lines) {
      const end = line.indexOf(' ');
      this.#lines.set(Number(line.slice(0, end)), line.slice(end));
    }
  }

  digits(numbers: string): string | undefined {
    return this.#digits.get(numbers);
  }

  format(formatGroup: number): MomentFormat {
    const line = this.#lines.get(formatGroup);
    if (line === undefined) throw new Error(`The tables have no format group ${formatGroup}.`);
    return JSON.parse(line) as MomentFormat;
  }
}
