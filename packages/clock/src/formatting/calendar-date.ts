/** A date in some calendar. */
export interface CalendarDate {
  /** In the calendars of China and Korea, the Gregorian year in which theirs begins. */
  readonly year: number;
  /** As it is counted, from one. */
  readonly month: number;
  /** The place of its name among those of the calendar, from one. */
  readonly name: number;
  /** Whether it is a leap month, called after the one before it. */
  readonly isLeap: boolean;
  readonly day: number;
  /** The place of its era among those of the calendar. */
  readonly era: number;
}

/** What is added to the Gregorian year. */
const yearShifts: Readonly<Record<string, number>> = { gregory: 0, buddhist: 543, roc: -1911 };

/** The eras of Japan since 1970, the newest first: when they began, and the year before their first. */
const japaneseEras = [
  [Date.UTC(2019, 4, 1), 2018],
  [Date.UTC(1989, 0, 8), 1988],
  [Number.NEGATIVE_INFINITY, 1925],
] as const;

/** The date of a local moment, read as UTC. */
export function calendarDate(calendar: string, local: number): CalendarDate {
  const moment = new Date(local);
  const [year, month, day] = [moment.getUTCFullYear(), moment.getUTCMonth() + 1, moment.getUTCDate()];
  const shift = yearShifts[calendar];
  if (shift !== undefined) return { ...plainDate(year + shift, month, day), era: 0 };
  if (calendar !== 'japanese') return intlDate(calendar, local);
  const era = japaneseEras.findIndex(([start]) => local >= start);
  return { ...plainDate(year - (japaneseEras[era]?.[1] ?? 0), month, day), era };
}

const plainDate = (year: number, month: number, day: number): CalendarDate => ({
  year,
  month,
  name: month,
  isLeap: false,
  day,
  era: 0,
});

const formats = new Map<string, Intl.DateTimeFormat>();

/** Only the arithmetic is that of `Intl`. A test shows that it is the same in every Node. */
function intlDate(calendar: string, local: number): CalendarDate {
  const format = formats.get(calendar) ?? numericFormat(calendar);
  formats.set(calendar, format);
  const parts = format.formatToParts(local);
  const text = (...types: string[]) => parts.find(({ type }) => types.includes(type))?.value ?? '';
  const year = Number(text('year', 'relatedYear'));
  const month = Number(/\d+/.exec(text('month'))?.[0]);
  const date = plainDate(year, month, Number(text('day')));
  if (calendar === 'hebrew') return { ...date, name: hebrewName(year, month) };
  return { ...date, isLeap: text('month').endsWith('bis') };
}

/** English has no numbers for Hebrew months, German has no year for Chinese dates. */
function numericFormat(calendar: string): Intl.DateTimeFormat {
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', timeZone: 'UTC' } as const;
  const language = calendar === 'hebrew' ? 'de' : 'en';
  return new Intl.DateTimeFormat(language, { ...numeric, calendar, numberingSystem: 'latn' });
}

/** Seven of nineteen Hebrew years have a month more, Adar I, the sixth; the seventh is then called Adar II, the fourteenth name. */
function hebrewName(year: number, month: number): number {
  const isLeapYear = (7 * year + 1) % 19 < 7;
  if (!isLeapYear) return month < 6 ? month : month + 1;
  return month === 7 ? 14 : month;
}

/** The place of a year in the cycle of sixty, of which one began in 1984. */
export const cyclicYear = (relatedYear: number): number => (((relatedYear - 1984) % 60) + 60) % 60;
