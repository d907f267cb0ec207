import type { MomentTemplates } from '../tables/moment-table.ts';

// Control characters, which occur in no text, stand where numbers go.
export const marks = { minute: '\u0001', second: '\u0002', day: '\u0003', year: '\u0004' } as const;

/** @param moment read as UTC */
export function fillTime({ hours, digits }: MomentTemplates, moment: Date): string | undefined {
  return hours?.[moment.getUTCHours()]
    ?.replace(marks.minute, written(moment.getUTCMinutes(), 2, digits))
    .replace(marks.second, written(moment.getUTCSeconds(), 2, digits));
}

/** @param moment read as UTC */
export function fillDate({ months, dayDigits = 1, digits }: MomentTemplates, moment: Date): string | undefined {
  return months?.[moment.getUTCMonth()]
    ?.replace(marks.day, written(moment.getUTCDate(), dayDigits, digits))
    .replace(marks.year, written(moment.getUTCFullYear(), 1, digits));
}

/** A number in the digits of a locale. */
export function written(number: number, leastDigits: number, digits: string): string {
  const latin = String(number).padStart(leastDigits, '0');
  if (digits.startsWith('0')) return latin;
  // Some scripts have digits that take two code units.
  const own = Array.from(digits);
  return Array.from(latin, (digit) => own[Number(digit)]).join('');
}
