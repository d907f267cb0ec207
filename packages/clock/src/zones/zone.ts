/** The identifier of a supported zone, or of the form `GMT+05:30`. */
export type ZoneId = string & { readonly __brand: 'ZoneId' };

/** A time zone, with its offsets in milliseconds, as Java counts them. */
export class Zone {
  readonly id: ZoneId;
  /** Ahead of UTC in standard time. */
  readonly rawOffset: number;
  /** What daylight time adds. */
  readonly daylightSavings: number;
  /** The identifier that every `Intl` understands for it. */
  readonly formatAs: string;

  constructor(id: string, rawOffset: number, daylightSavings: number, formatAs = id) {
    this.id = id as ZoneId;
    this.rawOffset = rawOffset;
    this.daylightSavings = daylightSavings;
    this.formatAs = formatAs;
  }

  toString(): string {
    return this.id;
  }
}

/** The latest instant that a `Date` can hold. */
export const endOfTime = 8_640_000_000_000_000;

/** How far a zone is ahead of UTC, and for how long; all in milliseconds. */
export interface OffsetPeriod {
  readonly offset: number;
  readonly from: number;
  /** The offset holds until then at least. */
  readonly until: number;
}

const minute = 60_000;

/** A zone of a fixed offset, in the forms that Java accepts: `GMT+5`, `GMT+0530`, `GMT+05:30`. Its ID is always of the last form. */
export function customZone(id: string): Zone | undefined {
  const [, sign, hours = '', minutes = '00'] = /^GMT([+-])(\d{1,2})(?::?([0-5]\d))?$/.exec(id) ?? [];
  if (sign === undefined || Number(hours) > 23) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * minute;
  if (offset === 0) return new Zone('GMT', 0, 0);
  const text = `${sign}${hours.padStart(2, '0')}:${minutes}`;
  return new Zone(`GMT${text}`, sign === '-' ? -offset : offset, 0, text);
}
