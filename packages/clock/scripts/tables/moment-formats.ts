import type { CalendarFormat, MomentFormat } from '../../src/tables/moment-table.ts';
import { branch, type CldrNode, leaf, readLanguage, readSupplemental } from './cldr.ts';
import { dayPeriodRules } from './day-periods.ts';

/** CLDR's JSON has the medium time of their parents, ICU their own pattern of hours, minutes and seconds. See data/differences.md. */
const withoutOwnTime = /^(?:es-AR|nds|oc|yo-BJ)\b/;

/** How a locale formats times and dates, by CLDR's medium time and long date. */
export function momentFormatter(calendarRow: (tag: string) => number): (tag: string, source: string) => MomentFormat {
  const periodsOf = dayPeriodRules();
  const calendars = branch(
    readSupplemental('cldr-core/supplemental/calendarPreferenceData.json'),
    'supplemental',
    'calendarPreferenceData',
  );
  return (tag, source) => {
    const gregorian = readGregorian(source);
    const available = branch(gregorian, 'dateTimeFormats', 'availableFormats');
    const texts = branch(gregorian, 'dayPeriods', 'format', 'abbreviated');
    const read = (...keys: [CldrNode, ...string[]]) => template(leaf(...keys) ?? 'HH:mm:ss', source);
    const time12 = read(available, 'hms');
    const time24 = read(available, 'Hms');
    const time = withoutOwnTime.test(source) ? time24 : read(gregorian, 'timeFormats', 'medium');
    const calendar = preferredCalendar(calendars, tag);
    return {
      numbers: leaf(readLanguage('numbers', source, 'numbers', 'numbers'), 'defaultNumberingSystem') ?? 'latn',
      time,
      time12,
      time24,
      am: plain(leaf(texts, 'am') ?? 'AM'),
      pm: plain(leaf(texts, 'pm') ?? 'PM'),
      ...(`${time}${time12}`.includes('{B}') ? periodsOf(tag, texts) : {}),
      gregory: gregorianFormat(gregorian, source),
      ...(calendar === 'gregorian' ? {} : { calendar }),
      calendars: calendarRow(tag),
    };
  };
}

const readGregorian = (source: string) =>
  readLanguage('dates', source, 'ca-gregorian', 'dates', 'calendars', 'gregorian');

/** The months of a locale's long dates. */
export const gregorianMonths = (source: string): readonly string[] =>
  gregorianFormat(readGregorian(source), source).months ?? [];

function gregorianFormat(gregorian: CldrNode, source: string): CalendarFormat {
  const pattern = leaf(gregorian, 'dateFormats', 'long') ?? 'y MMMM d';
  const width = pattern.includes('MMMM') ? 'wide' : 'abbreviated';
  const names = branch(gregorian, 'months', 'format', width);
  const era = leaf(gregorian, 'eras', 'eraAbbr', '1') ?? '';
  const date = template(pattern.replace(/G+/, `'${era}'`), source);
  const months = Array.from({ length: 12 }, (_, month) => plain(leaf(names, `${month + 1}`) ?? `${month + 1}`));
  return date.includes('{M}') ? { calendar: 'gregory', date, months } : { calendar: 'gregory', date };
}

/** A locale without a region has the calendar of its likely one. */
function preferredCalendar(calendars: CldrNode, tag: string): string {
  const preferred: unknown = calendars[new Intl.Locale(tag).maximize().region ?? '001'] ?? calendars['001'];
  return Array.isArray(preferred) ? String(preferred[0]) : 'gregorian';
}

/** V8 writes a plain space for the narrow one as well, because programs parse what it writes. */
const plain = (text: string) => text.replaceAll('\u202f', ' ');

const fields = 'hHkKmsaBdMy';

/**
 * A pattern of CLDR (UTS #35, part 4, "Date Format Patterns") with its fields in braces and the number of digits:
 * `h:mm a` is `{h1}:{m2} {a}`.
 */
export function template(pattern: string, source: string): string {
  return plain(
    pattern.replace(/'([^']*)'|([A-Za-z])\2*/g, (found, quoted: string | undefined, letter = '') => {
      if (quoted !== undefined) return quoted === '' ? "'" : quoted;
      if (!fields.includes(letter))
        throw new Error(`The pattern ${pattern} of ${source} has the unknown field ${found}.`);
      const isText = letter === 'a' || letter === 'B' || (letter === 'M' && found.length > 2);
      return isText ? `{${letter}}` : `{${letter}${found.length}}`;
    }),
  );
}
