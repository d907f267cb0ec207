import type { MomentTemplates } from '../tables/tables.ts';

/** Formats times and dates in one locale. `local` is the local time in milliseconds, as if the zone were UTC. */
export interface MomentWriter {
  /** The medium time. */
  time(local: number): string;
  /** The long date. */
  date(local: number): string;
}

export type FormatStyle = 'long date' | 'medium time';

/** In UTC, because what is formatted is local time already. */
export const formatOptions: Readonly<Record<FormatStyle, Intl.DateTimeFormatOptions>> = {
  'long date': { dateStyle: 'long', timeZone: 'UTC' },
  'medium time': { timeStyle: 'medium', timeZone: 'UTC' },
};

/** Formats with `Intl`. V8 keeps some 130 KB forever for each locale that is used this way. */
export class IntlWriter implements MomentWriter {
  readonly #tag: string;
  #time: Intl.DateTimeFormat | undefined;

  constructor(tag: string) {
    this.#tag = tag;
  }

  time(local: number): string {
    this.#time ??= this.#format('medium time');
    return this.#time.format(local);
  }

  /** Called once a day, so that the formatter need not be kept. */
  date(local: number): string {
    return this.#format('long date').format(local);
  }

  #format(style: FormatStyle): Intl.DateTimeFormat {
    return new Intl.DateTimeFormat(this.#tag, formatOptions[style]);
  }
}

/** Formats as `Intl` does, with templates, which take a hundredth of the memory. Uses the fallback for what the templates do not cover. */
export class TemplateWriter implements MomentWriter {
  readonly #templates: MomentTemplates;
  readonly #fallback: MomentWriter;

  constructor(templates: MomentTemplates, fallback: MomentWriter) {
    this.#templates = templates;
    this.#fallback = fallback;
  }

  time(local: number): string {
    return fillTime(this.#templates, new Date(local)) ?? this.#fallback.time(local);
  }

  date(local: number): string {
    return fillDate(this.#templates, new Date(local)) ?? this.#fallback.date(local);
  }
}

// Placeholders for numbers: control characters, which occur in no text.
export const marks = { minute: '\u0001', second: '\u0002', day: '\u0003', year: '\u0004' } as const;

/** @param moment read as UTC */
export function fillTime({ hours, digits }: MomentTemplates, moment: Date): string | undefined {
  return hours?.[moment.getUTCHours()]
    ?.replace(marks.minute, formatNumber(moment.getUTCMinutes(), 2, digits))
    .replace(marks.second, formatNumber(moment.getUTCSeconds(), 2, digits));
}

/** @param moment read as UTC */
export function fillDate({ months, dayDigits = 1, digits }: MomentTemplates, moment: Date): string | undefined {
  return months?.[moment.getUTCMonth()]
    ?.replace(marks.day, formatNumber(moment.getUTCDate(), dayDigits, digits))
    .replace(marks.year, formatNumber(moment.getUTCFullYear(), 1, digits));
}

/** A number in the digits of a locale. */
export function formatNumber(number: number, leastDigits: number, digits: string): string {
  const latin = String(number).padStart(leastDigits, '0');
  if (digits.startsWith('0')) return latin;
  // Some scripts have digits that take two code units.
  const own = Array.from(digits);
  return Array.from(latin, (digit) => own[Number(digit)]).join('');
}
