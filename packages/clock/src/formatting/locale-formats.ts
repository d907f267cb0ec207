import type { Locales } from '../locales/locales.ts';
import type { OfferedLocale } from '../locales/offered-locale.ts';
import type { Tables } from '../tables/tables.ts';
import { CurrentOffsets } from '../zones/current-offsets.ts';
import type { Zone } from '../zones/zone.ts';

export type FormatStyle = 'long date' | 'medium time';

const day = 86_400_000;
const optionsOf: Readonly<Record<FormatStyle, Intl.DateTimeFormatOptions>> = {
  'long date': { dateStyle: 'long', timeZone: 'UTC' },
  'medium time': { timeStyle: 'medium', timeZone: 'UTC' },
};

interface Formats {
  readonly time: Intl.DateTimeFormat;
  /** A day's date in words, by the number of the day; at any instant there are at most three. */
  readonly dates: Map<number, string>;
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

  constructor(tables: Tables, locales: Locales) {
    this.#tables = tables;
    this.#locales = locales;
  }

  /** How many different formatters are kept. */
  get size(): number {
    return this.#formats.size;
  }

  time(locale: OfferedLocale, zone: Zone, instant: number): string {
    return this.#of(locale).time.format(instant + this.#offsets.at(zone, instant));
  }

  date(locale: OfferedLocale, zone: Zone, instant: number): string {
    const { dates } = this.#of(locale);
    const local = instant + this.#offsets.at(zone, instant);
    const number = Math.floor(local / day);
    const known = dates.get(number);
    if (known !== undefined) return known;
    const text = new Intl.DateTimeFormat(this.#tag(locale), optionsOf['long date']).format(local);
    if (dates.size > 3) dates.clear();
    dates.set(number, text);
    return text;
  }

  resolved(locale: OfferedLocale, style: FormatStyle): Intl.ResolvedDateTimeFormatOptions {
    return new Intl.DateTimeFormat(this.#tag(locale), optionsOf[style]).resolvedOptions();
  }

  #of(locale: OfferedLocale): Formats {
    const tag = this.#tag(locale);
    const known = this.#formats.get(tag);
    if (known) return known;
    const formats = { time: new Intl.DateTimeFormat(tag, optionsOf['medium time']), dates: new Map<number, string>() };
    this.#formats.set(tag, formats);
    return formats;
  }

  #tag(locale: OfferedLocale): string {
    // Twins were found with one ICU; with another each locale speaks for itself.
    if (!this.#tables.isOfThisNode) return locale.languageTag;
    const { twin } = this.#tables.row(this.#locales.position(locale));
    return this.#locales.tags[twin] ?? locale.languageTag;
  }
}
