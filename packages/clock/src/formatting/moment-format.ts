import type { CalendarFormat, TimeFormat } from '../tables/moment-table.ts';
import { calendarDate } from './calendar-date.ts';

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
export function fillDate({ calendar, date, months = [] }: CalendarFormat, digits: string, local: number): string {
  const { year, month, day } = calendarDate(calendar, local);
  return date.replace(/\{(\w)(\d?)\}/g, (_, field: string, width: string) => {
    if (width === '') return months[month - 1] ?? '';
    return formatNumber(field === 'y' ? year : field === 'M' ? month : day, Number(width), digits);
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
