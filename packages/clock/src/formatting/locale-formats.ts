import type { Locales } from '../locales/locales.ts';
import type { OfferedLocale } from '../locales/offered-locale.ts';
import type { Tables } from '../tables/tables.ts';
import { CurrentOffsets } from '../zones/current-offsets.ts';
import type { Zone } from '../zones/zone.ts';
import { RecentTexts } from './recent-texts.ts';

export type FormatStyle = 'long date' | 'medium time';

const second = 1000;
const day = 86_400 * second;
/** At any instant it is one of three days somewhere in the world, and one of some forty times of the day. */
const mostDates = 3;
const mostTimes = 48;
const optionsOf: Readonly<Record<FormatStyle, Intl.DateTimeFormatOptions>> = {
  'long date': { dateStyle: 'long', timeZone: 'UTC' },
  'medium time': { timeStyle: 'medium', timeZone: 'UTC' },
};

interface Formats {
  readonly time: Intl.DateTimeFormat;
  /** By the number of the second. */
  readonly times: RecentTexts;
  /** By the number of the day. */
  readonly dates: RecentTexts;
}

/**
 * Dates and times in every locale. A zone's time is formatted as if it were UTC's, moved by the zone's offset:
 * so one formatter serves all zones, and locales that write alike share it.
 */
export class LocaleFormats {
  readonly #locales: Locales;
  readonly #tables: Tables;
  readonly #offsets = new CurrentOffsets();
  readonly #formats = new Map<string, Formats>();
  readonly #byLocale = new Map<OfferedLocale, Formats>();

  constructor(tables: Tables, locales: Locales) {
    this.#tables = tables;
    this.#locales = locales;
  }

  /** How many different formatters are kept. */
  get size(): number {
    return this.#formats.size;
  }

  time(locale: OfferedLocale, zone: Zone, instant: number): string {
    const local = instant + this.#offsets.at(zone, instant);
    const { time, times } = this.#of(locale);
    return times.text(Math.floor(local / second), () => time.format(local));
  }

  date(locale: OfferedLocale, zone: Zone, instant: number): string {
    const local = instant + this.#offsets.at(zone, instant);
    return this.#of(locale).dates.text(Math.floor(local / day), () =>
      new Intl.DateTimeFormat(this.#tag(locale), optionsOf['long date']).format(local),
    );
  }

  resolved(locale: OfferedLocale, style: FormatStyle): Intl.ResolvedDateTimeFormatOptions {
    return new Intl.DateTimeFormat(this.#tag(locale), optionsOf[style]).resolvedOptions();
  }

  #of(locale: OfferedLocale): Formats {
    const known = this.#byLocale.get(locale);
    if (known) return known;
    const tag = this.#tag(locale);
    const formats = this.#formats.get(tag) ?? {
      time: new Intl.DateTimeFormat(tag, optionsOf['medium time']),
      times: new RecentTexts(mostTimes),
      dates: new RecentTexts(mostDates),
    };
    this.#formats.set(tag, formats);
    this.#byLocale.set(locale, formats);
    return formats;
  }

  #tag(locale: OfferedLocale): string {
    // Twins were found with one ICU; with another each locale speaks for itself.
    if (!this.#tables.isOfThisNode) return locale.languageTag;
    const { twin } = this.#tables.row(this.#locales.position(locale));
    return this.#locales.tags[twin] ?? locale.languageTag;
  }
}
