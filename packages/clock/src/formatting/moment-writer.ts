import type { FormatPreferences } from '../locales/locale-tag.ts';
import type { CalendarFormat, MomentFormat, TimeFormat } from '../tables/moment-table.ts';
import { fillDate, fillTime, formatNumber } from './moment-format.ts';

export type FormatStyle = 'long date' | 'medium time';

/** What a locale's texts are written with. */
export interface WriterParts {
  readonly format: MomentFormat;
  readonly preferences: FormatPreferences | undefined;
  readonly calendarFormat: (calendar: string) => CalendarFormat;
  readonly digits: (numbers: string) => string | undefined;
}

/** Writes times and dates in one locale. `local` is the local time in milliseconds, as if the zone were UTC. */
export class MomentWriter {
  readonly numbers: string;
  readonly digits: string;
  readonly timeFormat: TimeFormat;
  readonly calendar: string;
  readonly #dateFormat: CalendarFormat;
  /** The time of each hour, with marks for the minute and the second. */
  readonly #hours: string[] = [];
  readonly #widths: { readonly m: number; readonly s: number };

  constructor({ format, preferences, calendarFormat, digits }: WriterParts) {
    this.numbers = preferences?.numbers ?? format.numbers;
    this.digits = digits(this.numbers) ?? '0123456789';
    this.timeFormat = timeFormat(format, preferences?.hourCycle);
    this.calendar = asGregorian(preferences?.calendar) ?? format.calendar ?? 'gregory';
    this.#dateFormat = calendarFormat(this.calendar);
    const width = (field: string) => Number(new RegExp(`\\{${field}(\\d)\\}`).exec(this.timeFormat.time)?.[1] ?? 2);
    this.#widths = { m: width('m'), s: width('s') };
  }

  /** The medium time. */
  time(local: number): string {
    const moment = new Date(local);
    const hour = moment.getUTCHours();
    // Twelve o'clock sharp may have a name of its own.
    if (hour === 12 && this.timeFormat.noon !== undefined) return fillTime(this.timeFormat, this.digits, moment);
    this.#hours[hour] ??= fillTime({ ...this.timeFormat, time: withMarks(this.timeFormat.time) }, this.digits, moment);
    return this.#hours[hour]
      .replace(minuteMark, formatNumber(moment.getUTCMinutes(), this.#widths.m, this.digits))
      .replace(secondMark, formatNumber(moment.getUTCSeconds(), this.#widths.s, this.digits));
  }

  /** The long date. */
  date(local: number): string {
    return fillDate(this.#dateFormat, this.digits, local);
  }
}

// Control characters, which occur in no text.
const minuteMark = '\u0001';
const secondMark = '\u0002';
const withMarks = (time: string) => time.replace(/\{m\d\}/, minuteMark).replace(/\{s\d\}/, secondMark);

/** ISO 8601 has the Gregorian calendar's dates. */
const asGregorian = (calendar: string | undefined) => (calendar === 'iso8601' ? 'gregory' : calendar);

/** The locale's own time, or that of the clock which is asked for. */
function timeFormat(format: MomentFormat, hourCycle: string | undefined): TimeFormat {
  if (hourCycle === undefined) return format;
  const is12 = hourCycle === 'h11' || hourCycle === 'h12';
  const isOwn = /\{[hK]/.test(format.time) === is12;
  const time = isOwn ? format.time : is12 ? format.time12 : format.time24;
  const letter = { h11: 'K', h12: 'h', h23: 'H', h24: 'k' }[hourCycle] ?? 'H';
  return { ...format, time: time.replace(/\{[hHkK]/, `{${letter}`) };
}
