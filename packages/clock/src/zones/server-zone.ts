import { customZone } from './custom-zone.ts';
import type { Zone } from './zone.ts';

/** What the process knows of its own zone. */
export interface ServerZoneClues {
  /** The environment variable `TZ`. */
  readonly tz: string | undefined;
  /** What `Intl` calls the zone; nothing when it knows no name for it. */
  readonly reported: string | undefined;
  /** Minutes ahead of UTC, now. */
  readonly offset: number;
}

/** POSIX.1-2017, 8.3: a name and an offset, with neither daylight time nor seconds, which no zone of ours could follow. */
const posix = /^(?:[A-Za-z]{3,}|<[\w+-]{3,}>)([+-]?)(\d{1,2})(?::([0-5]\d))?$/;

export function readServerZone(): ServerZoneClues {
  const { timeZone }: { timeZone?: string } = new Intl.DateTimeFormat('en-US').resolvedOptions();
  return { tz: process.env.TZ, reported: timeZone, offset: -new Date().getTimezoneOffset() };
}

/**
 * The server's own zone. `TZ` has the name as it was given, of which `Intl` makes an older one. An offset in `TZ` is read
 * here: `Intl` knows only full hours and turns the sign of `GMT+3` round.
 */
export function serverZone(
  { tz, reported, offset }: ServerZoneClues,
  offered: (id: string) => Zone | undefined,
): Zone | undefined {
  const name = tz?.replace(/^:/, '').replace(/^\/.*\/zoneinfo\//, '') ?? '';
  const [, sign, hours = '', minutes = '00'] = posix.exec(name) ?? [];
  // POSIX counts the offset from local time to UTC.
  const ofOffset = sign === undefined ? undefined : customZone(`GMT${sign === '-' ? '+' : '-'}${hours}:${minutes}`);
  return offered(name) ?? ofOffset ?? (reported === undefined ? ofMinutes(offset) : offered(reported));
}

function ofMinutes(offset: number): Zone | undefined {
  if (offset === 0) return undefined;
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return customZone(`GMT${offset < 0 ? '-' : '+'}${hours}:${String(minutes).padStart(2, '0')}`);
}
