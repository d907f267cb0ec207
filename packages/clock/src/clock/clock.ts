import type { LocaleFormats } from '../formatting/locale-formats.ts';
import { MomentFormatter } from '../formatting/moment-formatter.ts';
import type { OfferedLocale } from '../locales/offered-locale.ts';
import type { NamedLists, NamedLocale, NamedZone } from '../names/named-lists.ts';
import type { Zone } from '../zones/zone.ts';

/** The values that the page is made of, under the names that the specification gives them. */
export class Clock {
  /** The effective locale. */
  readonly locale: OfferedLocale;
  /** The effective time zone. */
  readonly zone: Zone;
  /** The moment of the request. */
  readonly timestamp: Date;
  readonly date: MomentFormatter;
  readonly time: MomentFormatter;
  /** Sorted by language tag, as the effective locale collates. */
  readonly locales: readonly NamedLocale[];
  /** Sorted by raw offset, daylight amount and identifier. */
  readonly zones: readonly NamedZone[];

  constructor(locale: OfferedLocale, zone: Zone, timestamp: Date, lists: NamedLists, formats: LocaleFormats) {
    this.locale = locale;
    this.zone = zone;
    this.timestamp = timestamp;
    this.date = new MomentFormatter('long date', locale, zone, formats);
    this.time = new MomentFormatter('medium time', locale, zone, formats);
    this.locales = lists.locales;
    this.zones = lists.zones;
  }
}
