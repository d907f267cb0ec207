import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { calendarDate } from './calendar-date.ts';

const day = 86_400_000;

/** Every day of thirty years. */
function digest(calendar: string): string {
  const hash = createHash('sha256');
  for (let moment = Date.UTC(2020, 0, 1); moment < Date.UTC(2050, 0, 1); moment += day) {
    hash.update(JSON.stringify(Object.values(calendarDate(calendar, moment))));
  }
  return hash.digest('hex').slice(0, 16);
}

describe('the dates of 2020 to 2049', () => {
  // As Node 20 (ICU 78.2) and 22, 24 and 26 (ICU 78.3) count.
  it.each([
    ['chinese', 'e152ec5318a8c85d'],
    ['coptic', '450bebe98da67306'],
    ['dangi', '7cff20cd8a72e39d'],
    ['ethioaa', '8de6c530a4c58983'],
    ['ethiopic', '1ce0af7a71ccd436'],
    ['hebrew', '9355cf3f7066e806'],
    ['indian', '5a4b71b44b88ad16'],
    ['islamic', '6e795770d1a7cab2'],
    ['islamic-civil', 'e9a052dbc0b14766'],
    ['islamic-tbla', '078d1d73ff5bdd2d'],
    ['islamic-umalqura', '6d9a7292012a309e'],
    ['persian', '43841b889b12f0cf'],
  ])('of the calendar %s are the same on every Node', (calendar, expected) => {
    expect(digest(calendar)).toBe(expected);
  });
});

describe('a date', () => {
  it.each([
    ['gregory', '2026-11-16', [2026, 11, 16]],
    ['buddhist', '2026-11-16', [2569, 11, 16]],
    ['roc', '2026-11-16', [115, 11, 16]],
    ['japanese', '2019-04-30', [31, 4, 30]],
    ['japanese', '2019-05-01', [1, 5, 1]],
    ['japanese', '1989-01-07', [64, 1, 7]],
    ['japanese', '1989-01-08', [1, 1, 8]],
    ['persian', '2026-03-21', [1405, 1, 1]],
    ['hebrew', '2026-09-12', [5787, 1, 1]],
    ['chinese', '2026-02-17', [2026, 1, 1]],
    ['islamic-umalqura', '2026-06-16', [1448, 1, 1]],
  ])('of the calendar %s on %s is %j', (calendar, text, expected) => {
    const { year, month, day: dayOfMonth } = calendarDate(calendar, Date.parse(`${text}T12:00:00Z`));
    expect([year, month, dayOfMonth]).toEqual(expected);
  });

  it('has the place of its month’s name, also in years with a month more', () => {
    const name = (calendar: string, text: string) => {
      const { month, name: place, isLeap } = calendarDate(calendar, Date.parse(text));
      return [month, place, isLeap];
    };
    expect(name('hebrew', '2026-02-20')).toEqual([6, 7, false]); // Adar
    expect(name('hebrew', '2027-02-20')).toEqual([6, 6, false]); // Adar I
    expect(name('hebrew', '2027-03-12')).toEqual([7, 14, false]); // Adar II
    expect(name('hebrew', '2027-04-12')).toEqual([8, 8, false]); // Nisan
    expect(name('chinese', '2025-08-10')).toEqual([6, 6, true]);
  });
});
