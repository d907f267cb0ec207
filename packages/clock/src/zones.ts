import { createRequire } from 'node:module';
import type momentTimezone from 'moment-timezone';
import { clockError } from './errors.ts';
import { packageFolder, readLines } from './package-folder.ts';

const minute = 60_000;

/** The latest instant that a `Date` can hold. */
const endOfTime = 8_640_000_000_000_000;

let loaded: typeof momentTimezone.tz | undefined;

/** Has the rules of ten years around today: all of them take 12 times as long to load. Loaded on first use, since no start needs them. */
const library = 'moment-timezone/builds/moment-timezone-with-data-10-year-range.js';

function rules(): typeof momentTimezone.tz {
  loaded ??= (createRequire(packageFolder)(library) as typeof momentTimezone).tz;
  return loaded;
}

/** The installed release of the tz database, such as `2026f`; `npm update moment-timezone` updates it. */
export const tzRelease = () => (rules() as unknown as { readonly dataVersion: string }).dataVersion;

/** A time zone; offsets are in milliseconds. */
export class Zone {
  readonly id: string;
  /** Ahead of UTC in standard time. */
  readonly rawOffset: number;
  /** What daylight time adds. */
  readonly daylightSavings: number;
  /** Its identifier in the tz database. */
  readonly formatAs: string;
  /** The id of a zone with the same name in every language; `place` if many languages name the zone only by its place. */
  readonly namedAs: string;

  constructor(id: string, rawMinutes: number, daylightMinutes = 0, namedAs = id, formatAs = id) {
    this.id = id;
    this.rawOffset = rawMinutes * minute;
    this.daylightSavings = daylightMinutes * minute;
    this.formatAs = formatAs;
    this.namedAs = namedAs;
  }

  /** The offset from UTC at an instant, and until when it is valid. */
  periodAt(instant: number): { readonly offset: number; readonly until: number } {
    const zone = rules().zone(this.formatAs);
    if (zone === null) return { offset: this.rawOffset, until: endOfTime };
    const index = zone.untils.findIndex((until) => instant < until);
    const [minutes = 0, until = endOfTime] = [zone.offsets[index], zone.untils[index]];
    return { offset: (0 - minutes) * minute, until: Math.min(until, endOfTime) };
  }

  toString(): string {
    return this.id;
  }
}

/** A zone with a fixed offset, in the forms that Java accepts: `GMT+5`, `GMT+0530`, `GMT+05:30`. Its ID has the last form. */
function customZone(id: string): Zone | undefined {
  const [, sign, hours = '', minutes = '00'] = /^GMT([+-])(\d{1,2})(?::?([0-5]\d))?$/.exec(id) ?? [];
  if (sign === undefined || Number(hours) > 23) return undefined;
  const offset = Number(hours) * 60 + Number(minutes);
  if (offset === 0) return new Zone('GMT', 0);
  return new Zone(`GMT${sign}${hours.padStart(2, '0')}:${minutes}`, sign === '-' ? -offset : offset);
}

const maxIdLength = 40;

/** All supported time zones. */
export class Zones {
  /** Sorted by identifier. */
  readonly all: readonly Zone[];
  readonly #byId: ReadonlyMap<string, Zone>;
  #default: Zone | undefined;

  /** @param defaultId the server's zone by default */
  constructor(defaultId?: string) {
    this.all = readLines('zones.txt').map(
      ([id = '', raw, daylight, namedAs, formatAs]) => new Zone(id, Number(raw), Number(daylight), namedAs, formatAs),
    );
    this.#byId = new Map(this.all.map((zone) => [zone.id, zone]));
    if (defaultId === undefined) return;
    this.#default = this.find(defaultId);
    if (this.#default === undefined) {
      const sentence = `clock.zone is ${JSON.stringify(defaultId.slice(0, 64))}, which is not a time zone; use an identifier such as Europe/Zurich.`;
      throw clockError('JIG_CLOCK_ZONE_UNKNOWN', sentence, { fields: { zone: defaultId } });
    }
  }

  toJSON() {
    return { default: this.default, all: this.all };
  }

  /** For sessions without a chosen zone. */
  get default(): Zone {
    this.#default ??= this.#serverZone() ?? (this.find('UTC') as Zone);
    return this.#default;
  }

  /** Replaces unknown zones, as in Java. */
  get gmt(): Zone {
    return this.find('GMT') as Zone;
  }

  /** A supported zone, or a custom one such as `GMT+05:30`. */
  find(id: string): Zone | undefined {
    return id.length > maxIdLength ? undefined : (this.#byId.get(id) ?? customZone(id));
  }

  isListed(zone: Zone): boolean {
    return this.#byId.has(zone.id);
  }

  /** Reads `TZ` first, because `Intl` replaces some names by older ones. Offsets in it have the inverted sign of POSIX (8.3). */
  #serverZone(): Zone | undefined {
    const name = process.env.TZ?.replace(/^:/, '').replace(/^\/.*\/zoneinfo\//, '') ?? '';
    const [, sign, offset] = /^(?:[A-Za-z]{3,}|<[\w+-]{3,}>)([+-]?)(\d{1,2}(?::[0-5]\d)?)$/.exec(name) ?? [];
    const offsetZone = sign === undefined ? undefined : customZone(`GMT${sign === '-' ? '+' : '-'}${offset}`);
    const { timeZone }: { timeZone?: string } = new Intl.DateTimeFormat('en-US').resolvedOptions();
    return this.#byId.get(name) ?? offsetZone ?? this.#byId.get(timeZone ?? '');
  }
}
