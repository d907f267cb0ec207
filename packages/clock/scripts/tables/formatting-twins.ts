import { formatOptions } from '../../src/formatting/format-style.ts';

/**
 * For each tag the position of the first that writes dates and times exactly alike, in months, eras, hours and digits.
 * V8 keeps some 100 KB forever for every locale that it has formatted in; twins let four of five locales go without.
 */
export function formattingTwins(tags: readonly string[]): number[] {
  const firstWith = new Map<string, number>();
  return tags.map((tag, position) => {
    const written = writtenIn(tag);
    const twin = firstWith.get(written) ?? position;
    firstWith.set(written, twin);
    return twin;
  });
}

const days = [...everyDay(Date.UTC(1969, 11, 1), 40, 3), ...everyDay(Date.UTC(2023, 0, 1), 180, 9)];
const hours = Array.from({ length: 24 }, (_, hour) => Date.UTC(2026, 0, 1, hour, 2 * hour + 3, 59 - hour));

function everyDay(first: number, count: number, step: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index * step * 86_400_000);
}

function writtenIn(tag: string): string {
  const date = new Intl.DateTimeFormat(tag, formatOptions['long date']);
  const time = new Intl.DateTimeFormat(tag, formatOptions['medium time']);
  return [...days.map((day) => date.format(day)), ...hours.map((hour) => time.format(hour))].join('\n');
}
