import { createRequire } from 'node:module';
import type momentTimezone from 'moment-timezone';
import { clockError } from './errors.ts';
import { packageFolder, readLines } from './package-folder.ts';

const minute = 60_000;

/** The latest instant that a `Date` can hold. */
const endOfTime = 8_640_000_000_000_000;

let loaded: typeof momentTimezone.tz | undefined;

/** Loaded when it is first needed, since that takes as long as the rest of the clock. */
function rules(): typeof momentTimezone.tz {
  loaded ??= (createRequire(packageFolder)('moment-timezone') as typeof momentTimezone).tz;
  return loaded;
}

/** The release of the tz database in force, such as `2026f`: `npm update moment-timezone` brings a newer one. */
export const tzRelease = () => (rules() as unknown as { readonly dataVersion: string }).dataVersion;

/** A time zone, with its offsets in milliseconds, as Java counts them. */
export class Zone {
  readonly id: string;
  /** Ahead of UTC in standard time. */
  readonly rawOffset: number;
  /** What daylight time adds. */
  readonly daylightSavings: number;
  /** The identifier that the tz database has for it. */
  readonly formatAs: string;
  /** A zone that is called the same in every language; `place` if many languages call it by its place alone. */
  readonly namedAs: string;

  constructor(id: string, rawMinutes: number, daylightMinutes = 0, namedAs = id, formatAs = id) {
    this.id = id;
    this.rawOffset = rawMinutes * minute;
    this.daylightSavings = daylightMinutes * minute;
    this.formatAs = formatAs;
    this.namedAs = namedAs;
  }

  /** How far it is ahead of UTC at an instant, and until when at least. */
  periodAt(instant: number): { readonly offset: number; readonly until: number } {
    const zone = rules().zone(this.formatAs);
    if (zone === null) return { offset: this.rawOffset, until: endOfTime };
    const place = zone.untils.findIndex((until) => instant < until);
    const [minutes = 0, until = endOfTime] = [zone.offsets[place], zone.untils[place]];
    // Local mean times have fractions of a minute.
    return { offset: Math.round((0 - minutes) * minute), until: Math.min(until, endOfTime) };
  }

  toString(): string {
    return this.id;
  }
}

/** A zone of a fixed offset, in the forms that Java accepts: `GMT+5`, `GMT+0530`, `GMT+05:30`. Its ID is always of the last form. */
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
  /** Sorted by code unit of their identifiers. */
  readonly all: readonly Zone[];
  readonly #byId: ReadonlyMap<string, Zone>;
  #default: Zone | undefined;

  /** @param defaultId the server's own zone when it is not given */
  constructor(defaultId?: string) {
    this.all = readLines('zones.txt').map(
      ([id = '', raw, daylight, namedAs, formatAs]) => new Zone(id, Number(raw), Number(daylight), namedAs, formatAs),
    );
    this.#byId = new Map(this.all.map((zone) => [zone.id, zone]));
    if (defaultId === undefined) return;
    this.#default = this.find(defaultId);
    if (this.#default === undefined) {
      const sentence = `There is no time zone ${JSON.stringify(defaultId.slice(0, 64))}, which clock.zone asks for; give an identifier such as Europe/Zurich.`;
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

  /** Takes the place of an unknown zone, as in Java. */
  get gmt(): Zone {
    return this.find('GMT') as Zone;
  }

  /** The zone of this identifier, `GMT+05:30` and the like included. */
  find(id: string): Zone | undefined {
    return id.length > maxIdLength ? undefined : (this.#byId.get(id) ?? customZone(id));
  }

  isListed(zone: Zone): boolean {
    return this.#byId.has(zone.id);
  }

  /** The name in `TZ` comes first, because `Intl` replaces it by an older one; an offset in it has the sign of POSIX (8.3). */
  #serverZone(): Zone | undefined {
    const name = process.env.TZ?.replace(/^:/, '').replace(/^\/.*\/zoneinfo\//, '') ?? '';
    const [, sign, offset] = /^(?:[A-Za-z]{3,}|<[\w+-]{3,}>)([+-]?)(\d{1,2}(?::[0-5]\d)?)$/.exec(name) ?? [];
    const ofOffset = sign === undefined ? undefined : customZone(`GMT${sign === '-' ? '+' : '-'}${offset}`);
    const { timeZone }: { timeZone?: string } = new Intl.DateTimeFormat('en-US').resolvedOptions();
    return this.#byId.get(name) ?? ofOffset ?? this.#byId.get(timeZone ?? '');
  }
}
