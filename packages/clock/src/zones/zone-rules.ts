import { icuPeriod } from './icu-rules.ts';
import { PackagedRules } from './packaged-rules.ts';
import { endOfTime, type OffsetPeriod, type Zone } from './zone.ts';

/** Says how far each zone is ahead of UTC, by the newer of two copies of the tz database: the packaged one and ICU's. */
export class ZoneRules {
  /** The release of the tz database that is in force, such as `2026f`. */
  readonly release: string;
  /** Where that comes from: a package or ICU, with its version. */
  readonly source: string;
  /** The releases that there were to choose from. */
  readonly available: { readonly packaged: string | undefined; readonly icu: string | undefined };
  /** Only when they are in force. */
  readonly #packaged: PackagedRules | undefined;
  readonly #periods = new Map<string, OffsetPeriod>();

  static read(): ZoneRules {
    return new ZoneRules(readPackaged());
  }

  /** @param packaged nothing when the package cannot be read */
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

  /** The offset at an instant and for how long it holds. The last one of each zone is kept, so that asking again costs nothing. */
  periodAt(zone: Zone, instant: number): OffsetPeriod {
    const known = this.#periods.get(zone.id);
    if (known && known.from <= instant && instant < known.until) return known;
    // A custom zone; there are too many to keep them all.
    if (/^[+-]/.test(zone.formatAs)) return { offset: zone.rawOffset, from: -endOfTime, until: endOfTime };
    const period = this.#packaged?.period(zone.formatAs, instant) ?? icuPeriod(zone.formatAs, instant);
    this.#periods.set(zone.id, period);
    return period;
  }
}

/** A package that is missing or of another form is no reason to show no time at all; `available` tells. */
function readPackaged(): PackagedRules | undefined {
  try {
    return PackagedRules.read();
  } catch {
    return undefined;
  }
}
