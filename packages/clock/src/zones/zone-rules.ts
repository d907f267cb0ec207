import { PackagedRules } from './packaged-rules.ts';
import { endOfTime, type OffsetPeriod, type Zone } from './zone.ts';

/** The offset of each zone from UTC, by the newer of two copies of the tz database: the packaged one and ICU's. */
export class ZoneRules {
  /** The release of the tz database that is in force, such as `2026f`. */
  readonly release: string;
  /** Where it comes from: a package or ICU, with its version. */
  readonly source: string;
  /** The releases to choose from. */
  readonly available: { readonly packaged: string | undefined; readonly icu: string | undefined };
  /** Only when they are in force. */
  readonly #packaged: PackagedRules | undefined;
  readonly #periods = new Map<string, OffsetPeriod>();

  static read(): ZoneRules {
    return new ZoneRules(readPackaged());
  }

  /** @param packaged undefined when the package cannot be read */
  constructor(packaged: PackagedRules | undefined, { icu, tz }: Readonly<NodeJS.Dict<string>> = process.versions) {
    // Releases are named by year and letter, so that the names are in the order of the releases.
    const isNewer = packaged !== undefined && packaged.release >= (tz ?? '');
    this.release = (isNewer ? packaged.release : tz) ?? 'unknown';
    this.source = isNewer ? packaged.source : `ICU ${icu}`;
    this.available = { packaged: packaged?.release, icu: tz };
    this.#packaged = isNewer ? packaged : undefined;
  }

  /** In milliseconds. */
  offsetAt(zone: Zone, instant: number): number {
    return this.periodAt(zone, instant).offset;
  }

  /** The offset at an instant, and for how long it holds. The latest period of each zone is cached. */
  periodAt(zone: Zone, instant: number): OffsetPeriod {
    const known = this.#periods.get(zone.id);
    if (known && known.from <= instant && instant < known.until) return known;
    // A custom zone: there are too many to cache them.
    if (/^[+-]/.test(zone.formatAs)) return { offset: zone.rawOffset, from: -endOfTime, until: endOfTime };
    const period = this.#packaged?.period(zone.formatAs, instant) ?? icuPeriod(zone.formatAs, instant);
    this.#periods.set(zone.id, period);
    return period;
  }
}

/** Without a readable package the clock works with ICU's rules; `available` says so. */
function readPackaged(): PackagedRules | undefined {
  try {
    return PackagedRules.read();
  } catch {
    return undefined;
  }
}

const minute = 60_000;
const maxPeriod = 6 * 60 * minute;

/** A zone's offsets from UTC in minutes, by ICU. */
export function icuOffsets(timeZone: string, instants: readonly number[]): number[] {
  const format = offsetFormat(timeZone);
  return instants.map((instant) => readOffset(format, instant));
}

/** The offset by ICU, and how long it holds, up to six hours. Zones change their offset on a full minute and never twice within hours. */
function icuPeriod(timeZone: string, instant: number): OffsetPeriod {
  const format = offsetFormat(timeZone);
  const from = Math.floor(instant / minute) * minute;
  const offset = readOffset(format, from);
  let until = from + maxPeriod;
  if (readOffset(format, until) !== offset) {
    let same = from;
    while (until - same > minute) {
      const middle = same + Math.floor((until - same) / minute / 2) * minute;
      if (readOffset(format, middle) === offset) same = middle;
      else until = middle;
    }
  }
  return { offset: offset * minute, from, until };
}

/** Not cached: a formatter takes 31 KB. */
const offsetFormat = (timeZone: string) => new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });

function readOffset(format: Intl.DateTimeFormat, instant: number): number {
  const name = format.formatToParts(instant).find((part) => part.type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}
