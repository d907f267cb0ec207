import type { LocaleFormats } from './formatting/locale-formats.ts';
import type { FormatStyle } from './formatting/moment-writer.ts';
import type { FormatPreferences } from './locales/locale-tag.ts';
import type { SupportedLocale } from './locales/supported-locale.ts';
import type { NamedLists, NamedLocale, NamedZone } from './names.ts';
import type { Selection } from './selection.ts';
import type { Zone } from './zones/zone.ts';

/** The model of the page, with the property names of the specification. */
export class Clock {
  /** The effective locale. */
  readonly locale: SupportedLocale;
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

  constructor(selection: ClockSelection, timestamp: Date, lists: NamedLists, formats: LocaleFormats) {
    this.locale = selection.locale;
    this.zone = selection.zone;
    this.timestamp = timestamp;
    this.date = new MomentFormatter('long date', selection, formats);
    this.time = new MomentFormatter('medium time', selection, formats);
    this.locales = lists.locales;
    this.zones = lists.zones;
  }
}

type ClockSelection = Pick<Selection, 'locale' | 'zone' | 'preferences'>;

/** Formats the date or the time of a moment in one locale and one zone. */
class MomentFormatter {
  readonly style: FormatStyle;
  readonly languageTag: string;
  readonly zoneID: string;
  readonly #locale: SupportedLocale;
  readonly #zone: Zone;
  readonly #preferences: FormatPreferences | undefined;
  readonly #formats: LocaleFormats;

  constructor(style: FormatStyle, { locale, zone, preferences }: ClockSelection, formats: LocaleFormats) {
    this.style = style;
    this.languageTag = locale.languageTag;
    this.zoneID = zone.id;
    this.#locale = locale;
    this.#zone = zone;
    this.#preferences = preferences;
    this.#formats = formats;
  }

  get calendar(): string {
    return this.#formats.writer(this.#locale, this.#preferences).calendar;
  }

  get numberingSystem(): string {
    return this.#formats.writer(this.#locale, this.#preferences).numbers;
  }

  format(moment: Date): string {
    const instant = moment.getTime();
    return this.style === 'long date'
      ? this.#formats.date(this.#locale, this.#zone, instant, this.#preferences)
      : this.#formats.time(this.#locale, this.#zone, instant, this.#preferences);
  }
}
