import { clockError } from '../errors.ts';
import type { Tables } from '../tables/tables.ts';
import { customZone, Zone } from './zone.ts';

const minute = 60_000;
const maxIdLength = 40;

/** All supported time zones. */
export class Zones {
  /** Sorted by code unit of their identifiers. */
  readonly all: readonly Zone[];
  /** For sessions without a chosen zone. */
  readonly default: Zone;
  /** The group of each zone; zones of a group have the same name in every language. */
  readonly groups: readonly number[];
  /** The same for their names in daylight time; undefined for zones that have none. */
  readonly daylightGroups: readonly (number | undefined)[];
  readonly #positions: ReadonlyMap<string, number>;

  /** @param defaultId the server's own zone when it is not given */
  constructor(tables: Tables, defaultId?: string) {
    const rows = tables.zones();
    this.all = rows.map(({ id, raw, daylight, formatAs }) => new Zone(id, raw * minute, daylight * minute, formatAs));
    this.groups = rows.map(({ group }) => group);
    this.daylightGroups = rows.map(({ daylightGroup }) => daylightGroup);
    this.#positions = new Map(this.all.map(({ id }, position) => [id, position]));
    this.default = defaultId === undefined ? this.#serverZone() : this.#configuredZone(defaultId);
  }

  get size(): number {
    return this.all.length;
  }

  /** Takes the place of an unknown zone, as in Java. */
  get gmt(): Zone {
    return this.#zone('GMT');
  }

  /** The zone of this identifier, `GMT+05:30` and the like included. */
  find(id: string): Zone | undefined {
    if (id.length > maxIdLength) return undefined;
    const position = this.#positions.get(id);
    return position === undefined ? customZone(id) : this.all[position];
  }

  /** Its place in `all`; a custom zone has none. */
  position(zone: Zone): number | undefined {
    return this.#positions.get(zone.id);
  }

  #configuredZone(id: string): Zone {
    const zone = this.find(id);
    if (zone) return zone;
    const sentence = `There is no time zone ${JSON.stringify(id.slice(0, 64))}, which clock.zone asks for; give an identifier such as Europe/Zurich.`;
    throw clockError('JIG_CLOCK_ZONE_UNKNOWN', sentence, { fields: { zone: id } });
  }

  #serverZone(): Zone {
    const supported = (id: string) => this.all[this.#positions.get(id) ?? -1];
    return serverZone(readServerZone(), supported) ?? this.#zone('UTC');
  }

  #zone(id: string): Zone {
    return this.all[this.#positions.get(id) ?? 0] ?? new Zone(id, 0, 0);
  }
}

/** What the process knows about its own zone. */
interface ServerZoneHints {
  /** The environment variable `TZ`. */
  readonly tz: string | undefined;
  /** The name that `Intl` reports; undefined if it knows none. */
  readonly reported: string | undefined;
  /** Minutes ahead of UTC, now. */
  readonly offset: number;
}

/** POSIX.1-2017, 8.3: a name and an offset, without daylight time and seconds, which no supported zone has. */
const posix = /^(?:[A-Za-z]{3,}|<[\w+-]{3,}>)([+-]?)(\d{1,2})(?::([0-5]\d))?$/;

function readServerZone(): ServerZoneHints {
  const { timeZone }: { timeZone?: string } = new Intl.DateTimeFormat('en-US').resolvedOptions();
  return { tz: process.env.TZ, reported: timeZone, offset: -new Date().getTimezoneOffset() };
}

/**
 * The server's own zone. The name in `TZ` comes first, because `Intl` replaces it by an older one. An offset in `TZ` is
 * parsed here, because `Intl` knows full hours only and inverts the sign of `GMT+3`.
 */
export function serverZone(
  { tz, reported, offset }: ServerZoneHints,
  supported: (id: string) => Zone | undefined,
): Zone | undefined {
  const name = tz?.replace(/^:/, '').replace(/^\/.*\/zoneinfo\//, '') ?? '';
  const [, sign, hours = '', minutes = '00'] = posix.exec(name) ?? [];
  // POSIX counts the offset from local time to UTC.
  const ofOffset = sign === undefined ? undefined : customZone(`GMT${sign === '-' ? '+' : '-'}${hours}:${minutes}`);
  return supported(name) ?? ofOffset ?? (reported === undefined ? ofMinutes(offset) : supported(reported));
}

function ofMinutes(offset: number): Zone | undefined {
  if (offset === 0) return undefined;
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return customZone(`GMT${offset < 0 ? '-' : '+'}${hours}:${String(minutes).padStart(2, '0')}`);
}
