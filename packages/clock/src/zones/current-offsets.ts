import { readOffset } from './offset-at.ts';
import type { Zone } from './zone.ts';

const minute = 60_000;
const stretch = 6 * 60 * minute;

interface Offset {
  readonly milliseconds: number;
  readonly from: number;
  readonly until: number;
}

/**
 * How far each zone is ahead of UTC now. A formatter per zone would cost 31 KB each, so only the offset is kept,
 * together with the stretch of time for which it holds.
 */
export class CurrentOffsets {
  readonly #offsets = new Map<string, Offset>();

  /** In milliseconds. */
  at(zone: Zone, instant: number): number {
    const known = this.#offsets.get(zone.id);
    if (known && known.from <= instant && instant < known.until) return known.milliseconds;
    if (/^[+-]/.test(zone.formatAs)) return zone.rawOffset;
    const offset = stretchAround(zone.formatAs, instant);
    this.#offsets.set(zone.id, offset);
    return offset.milliseconds;
  }
}

/** Zones change their offset on a full minute and never twice within hours. */
function stretchAround(timeZone: string, instant: number): Offset {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const from = Math.floor(instant / minute) * minute;
  const offset = readOffset(format, from);
  let until = from + stretch;
  if (readOffset(format, until) !== offset) {
    let same = from;
    while (until - same > minute) {
      const middle = same + Math.floor((until - same) / minute / 2) * minute;
      if (readOffset(format, middle) === offset) same = middle;
      else until = middle;
    }
  }
  return { milliseconds: offset * minute, from, until };
}
