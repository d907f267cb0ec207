import { fillDate, fillTime, formatNumber, formatOptions, marks } from '../../src/formatting/moment-writer.ts';
import type { MomentTemplates } from '../../src/tables/tables.ts';

const day = 86_400_000;
const { 'medium time': time, 'long date': date } = formatOptions;

/** Every day of ten years, and every hour at minutes and seconds of one digit and of two. */
const days = Array.from({ length: 3653 }, (_, index) => Date.UTC(2021, 0, 1) + index * day);
const times = Array.from({ length: 24 * 60 }, (_, minute) => Date.UTC(2026, 0, 1, 0, minute, (minute * 7) % 60));

/** How a locale writes times and dates, as far as templates write exactly what `Intl` does. */
export function momentTemplates(tag: string): MomentTemplates {
  const digits = digitsOf(tag);
  const hours = hourTemplates(tag, digits);
  const months = monthTemplates(tag, digits);
  const templates = { digits, hours, ...months };
  return {
    digits,
    ...(isRight(templates, tag, time, times, fillTime) ? { hours } : {}),
    ...(isRight(templates, tag, date, days, fillDate) ? months : {}),
  };
}

function digitsOf(tag: string): string {
  const { numberingSystem } = new Intl.DateTimeFormat(tag, time).resolvedOptions();
  const format = new Intl.NumberFormat(tag, { numberingSystem, useGrouping: false });
  return Array.from({ length: 10 }, (_, digit) => format.format(digit)).join('');
}

function hourTemplates(tag: string, digits: string): string[] {
  const format = new Intl.DateTimeFormat(tag, time);
  return Array.from({ length: 24 }, (_, hour) =>
    format
      .format(Date.UTC(2026, 0, 1, hour, 34, 56))
      .replace(formatNumber(34, 2, digits), marks.minute)
      .replace(formatNumber(56, 2, digits), marks.second),
  );
}

function monthTemplates(tag: string, digits: string): { months: string[]; dayDigits: 1 | 2 } {
  const format = new Intl.DateTimeFormat(tag, date);
  const months = Array.from({ length: 12 }, (_, month) =>
    format
      .format(Date.UTC(2026, month, 15))
      .replace(formatNumber(2026, 4, digits), marks.year)
      .replace(formatNumber(15, 2, digits), marks.day),
  );
  const hasPaddedDays = format.format(Date.UTC(2026, 10, 5)).includes(formatNumber(5, 2, digits));
  return { months, dayDigits: hasPaddedDays ? 2 : 1 };
}

function isRight(
  templates: MomentTemplates,
  tag: string,
  options: Intl.DateTimeFormatOptions,
  moments: readonly number[],
  fill: (templates: MomentTemplates, moment: Date) => string | undefined,
): boolean {
  const format = new Intl.DateTimeFormat(tag, options);
  return moments.every((moment) => fill(templates, new Date(moment)) === format.format(moment));
}
