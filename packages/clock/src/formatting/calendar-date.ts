/** A date in some calendar. Months are counted from one. */
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** The date of a local moment, read as UTC. */
export function calendarDate(calendar: string, local: number): CalendarDate {
  const moment = new Date(local);
  const gregorian = { year: moment.getUTCFullYear(), month: moment.getUTCMonth() + 1, day: moment.getUTCDate() };
  if (calendar === 'gregory') return gregorian;
  if (calendar === 'buddhist') return { ...gregorian, year: gregorian.year + 543 };
  const parts = numericFormat(calendar).formatToParts(local);
  const value = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return { year: value('year'), month: value('month'), day: value('day') };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Only the arithmetic is that of `Intl`, which is the same in every ICU. */
function numericFormat(calendar: string): Intl.DateTimeFormat {
  const known = formats.get(calendar);
  if (known !== undefined) return known;
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en', { ...numeric, calendar, numberingSystem: 'latn', timeZone: 'UTC' });
  formats.set(calendar, format);
  return format;
}
