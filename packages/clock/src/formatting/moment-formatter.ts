import type { OfferedLocale } from '../locales/offered-locale.ts';
import type { Zone } from '../zones/zone.ts';
import type { FormatStyle } from './format-style.ts';
import type { LocaleFormats } from './locale-formats.ts';

/** Writes a moment's date or time in one locale and one zone. */
export class MomentFormatter {
  readonly style: FormatStyle;
  readonly languageTag: string;
  readonly zoneID: string;
  readonly #locale: OfferedLocale;
  readonly #zone: Zone;
  readonly #formats: LocaleFormats;

  constructor(style: FormatStyle, locale: OfferedLocale, zone: Zone, formats: LocaleFormats) {
    this.style = style;
    this.languageTag = locale.languageTag;
    this.zoneID = zone.id;
    this.#locale = locale;
    this.#zone = zone;
    this.#formats = formats;
  }

  get calendar(): string {
    return this.#formats.resolved(this.#locale, this.style).calendar;
  }

  get numberingSystem(): string {
    return this.#formats.resolved(this.#locale, this.style).numberingSystem;
  }

  format(moment: Date): string {
    const instant = moment.getTime();
    return this.style === 'long date'
      ? this.#formats.date(this.#locale, this.#zone, instant)
      : this.#formats.time(this.#locale, this.#zone, instant);
  }
}
