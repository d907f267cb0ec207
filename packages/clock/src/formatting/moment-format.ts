import type { CalendarFormat, TimeFormat } from '../tables/moment-table.ts';
import { calendarDate, cyclicYear } from './calendar-date.ts';
import { hebrewYear } from './hebrew-number.ts';

/** @param moment read as UTC */
export function fillTime({ time, am, pm, periods, noon }: TimeFormat, digits: string, moment: Date): string {
  const hours = moment.getUTCHours();
  const [minutes, seconds] = [moment.getUTCMinutes(), moment.getUTCSeconds()];
  const values: Readonly<Record<string, number>> = {
    H: hours,
    h: hours % 12 || 12,
    K: hours % 12,
    k: hours || 24,
    m: minutes,
    s: seconds,
  };
  return time.replace(/\{(\w)(\d?)\}/g, (_, field: string, width: string) => {
    const value = values[field];
    if (value !== undefined) return formatNumber(value, Number(width), digits);
    if (field === 'B' && hours === 12 && minutes + seconds === 0 && noon !== undefined) return noon;
    return (field === 'B' ? periods?.[hours] : undefined) ?? (hours < 12 ? am : pm);
  });
}

/** @param local read as UTC */
export function fillDate(format: CalendarFormat, digits: string, local: number): string {
  const { calendar, months = [], days = [], eras = [], cycle = [], leap = '{0}', first } = format;
  const date = calendarDate(calendar, local);
  const numbers: Readonly<Record<string, number>> = {
    y: date.year,
    u: cyclicYear(date.year) + 1,
    M: date.month,
    d: date.day,
  };
  const texts: Readonly<Record<string, () => string | undefined>> = {
    M: () => months[date.name - 1],
    d: () => days[date.day - 1],
    y: () => hebrewYear(date.year),
    G: () => eras[date.era],
    U: () => cycle[cyclicYear(date.year)],
  };
  return format.date.replace(/\{(\w)(\d?)\}/g, (_, field: string, width: string) => {
    if (field === 'y' && date.year === 1 && first !== undefined) return first;
    const text = width === '' ? (texts[field]?.() ?? '') : formatNumber(numbers[field] ?? 0, Number(width), digits);
    return field === 'M' && date.isLeap ? leap.replace('{0}', text) : text;
  });
}

/** A number in the digits of a locale. */
export function formatNumber(number: number, leastDigits: number, digits: string): string {
  const latin = String(number).padStart(leastDigits, '0');
  if (digits.startsWith('0')) return latin;
  // Some scripts have digits that take two code units.
  const own = Array.from(digits);
  return Array.from(latin, (digit) => own[Number(digit)] ?? digit).join('');
}
