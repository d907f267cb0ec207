/** An identifier that is among those offered, or of the form `GMT+05:30`. */
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
