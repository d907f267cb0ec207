import { calendarDate } from '../../src/formatting/calendar-date.ts';
import { formatNumber } from '../../src/formatting/moment-format.ts';
import type { CalendarFormat } from '../../src/tables/moment-table.ts';

const day = 86_400_000;
const tenYears = Array.from({ length: 3653 }, (_, index) => Date.UTC(2021, 0, 1) + index * day);

/**
 * The long date of another calendar than the Gregorian one. CLDR has these in packages of their own, which are not
 * published with every release, so that they come from `Intl`; the tests compare them with ICU4J.
 */
export function intlCalendarFormat(tag: string, calendar: string): CalendarFormat {
  const format = new Intl.DateTimeFormat(tag, {
    dateStyle: 'long',
    timeZone: 'UTC',
    calendar,
    numberingSystem: 'latn',
  });
  const months: string[] = [];
  let date = '';
  let dayDigits = 2;
  for (const moment of tenYears) {
    const { month, day: dayOfMonth } = calendarDate(calendar, moment);
    const parts = format.formatToParts(moment);
    const value = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
    months[month - 1] ??= value('month');
    if (dayOfMonth < 10) dayDigits = value('day').length;
    date ||= parts
      .map(({ type, value: text }) => (type in fieldOf ? `{${fieldOf[type as keyof typeof fieldOf]}}` : text))
      .join('');
  }
  const made = { calendar, date: date.replace('{d}', `{d${dayDigits}}`), months };
  for (const moment of tenYears) {
    const { year, month, day: dayOfMonth } = calendarDate(calendar, moment);
    const written = made.date
      .replace('{y1}', formatNumber(year, 1, '0123456789'))
      .replace('{M}', months[month - 1] ?? '')
      .replace(`{d${dayDigits}}`, formatNumber(dayOfMonth, dayDigits, '0123456789'));
    if (written !== format.format(moment)) throw new Error(`${tag} writes ${format.format(moment)}, not ${written}.`);
  }
  return made;
}

const fieldOf = { day: 'd', month: 'M', year: 'y1' } as const;
