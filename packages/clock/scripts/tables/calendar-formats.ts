import { type CalendarDate, calendarDate, cyclicYear } from '../../src/formatting/calendar-date.ts';
import { fillDate } from '../../src/formatting/moment-format.ts';
import type { CalendarFormat } from '../../src/tables/moment-table.ts';

/** What a locale writes in a calendar. */
export type CalendarTexts = Omit<CalendarFormat, 'calendar'>;

const day = 86_400_000;
const latin = '0123456789';

interface SampleDay {
  readonly moment: number;
  readonly date: CalendarDate;
}

/** Days that have every month with every name, every day of a month, every era and every name of a year. */
function sampleDays(calendar: string): SampleDay[] {
  const seen = new Set<string>();
  const days: number[] = [];
  // Two years have every day; after them a step of five misses no month, as the shortest one has five days.
  const step = (moment: number) => (moment < Date.UTC(1986, 0, 1) ? day : 5 * day);
  for (let moment = Date.UTC(1984, 0, 1); moment < Date.UTC(2045, 0, 1); moment += step(moment)) {
    const { name, isLeap, day: dayOfMonth, era, year } = calendarDate(calendar, moment);
    const keys = [`month ${name} ${isLeap}`, `day ${dayOfMonth}`, `era ${era}`];
    if (calendar === 'chinese' || calendar === 'dangi') keys.push(`year ${cyclicYear(year)}`);
    if (keys.every((key) => seen.has(key))) continue;
    for (const key of keys) seen.add(key);
    days.push(moment);
  }
  // Dates of now, too.
  days.push(...Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 3 + 2 * month)));
  return days.map((moment) => ({ moment, date: calendarDate(calendar, moment) }));
}

const samples = new Map<string, SampleDay[]>();

/**
 * The long date of another calendar than the Gregorian one. CLDR has these in packages of their own, which are not
 * published with every release, so that they are read from the `Intl` of a Node whose ICU has the release.
 */
export function calendarTexts(tag: string, calendar: string): CalendarTexts {
  const days = samples.get(calendar) ?? sampleDays(calendar);
  samples.set(calendar, days);
  const options = { dateStyle: 'long', timeZone: 'UTC', calendar, numberingSystem: 'latn' } as const;
  const format = new Intl.DateTimeFormat(tag, options);
  const read = days.map(({ moment, date }) => {
    const parts = format.formatToParts(moment);
    const value = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
    return { date, parts, value };
  });
  const listOf = (place: (one: (typeof read)[number]) => number, type: string) => {
    const list: string[] = [];
    for (const one of read) if (!one.date.isLeap || type !== 'month') list[place(one)] ??= one.value(type);
    return list;
  };
  const months = listOf(({ date }) => date.name - 1, 'month');
  const dayTexts = listOf(({ date }) => date.day - 1, 'day');
  const eras = listOf(({ date }) => date.era, 'era');
  const cycle = listOf(({ date }) => cyclicYear(date.year), 'yearName');
  const areDaysNumbers = dayTexts.every((text, index) => Number(text) === index + 1);
  const areMonthsNumbers = read.every(({ date, value }) => date.isLeap || Number(value('month')) === date.month);
  const first = read.find(({ date, value }) => date.year === 1 && Number.isNaN(Number(value('year'))))?.value('year');
  const isYear = (written: (year: number) => number) =>
    read.every(({ date, value }) => value('year') === first || Number(value('year')) === written(date.year));
  const fields: Readonly<Record<string, string>> = {
    day: areDaysNumbers ? `{d${dayTexts[0]?.length}}` : '{d}',
    month: areMonthsNumbers ? `{M${months[0]?.length}}` : '{M}',
    year: isYear((year) => year) ? '{y1}' : isYear((year) => cyclicYear(year) + 1) ? '{u1}' : '{y}',
    relatedYear: '{y1}',
    yearName: '{U}',
    era: eras.length === 1 ? (eras[0] ?? '') : '{G}',
  };
  const leap = read.find(({ date }) => date.isLeap);
  const made: CalendarTexts = {
    date: (read[0]?.parts ?? []).map(({ type, value }) => fields[type] ?? value).join(''),
    ...(areMonthsNumbers ? {} : { months }),
    ...(areDaysNumbers ? {} : { days: dayTexts }),
    ...(eras.length > 1 && eras.some(Boolean) ? { eras } : {}),
    ...(first === undefined ? {} : { first }),
    ...(cycle.some(Boolean) ? { cycle } : {}),
    ...(leap ? { leap: leap.value('month').replace(months[leap.date.name - 1] ?? '', '{0}') } : {}),
  };
  for (const { moment } of days) {
    const [ours, theirs] = [fillDate({ ...made, calendar }, latin, moment), format.format(moment)];
    if (ours !== theirs) throw new Error(`${tag} writes a ${calendar} date as ${theirs}, not as ${ours}.`);
  }
  return made;
}
