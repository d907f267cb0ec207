import type { Locales } from '../locales/locales.ts';
import type { SupportedLocale } from '../locales/supported-locale.ts';
import type { Tables } from '../tables/tables.ts';
import type { Zone } from '../zones/zone.ts';
import type { ZoneRules } from '../zones/zone-rules.ts';
import { type FormatStyle, formatOptions, IntlWriter, type MomentWriter, TemplateWriter } from './moment-writer.ts';

const second = 1000;
const day = 86_400 * second;
/** At any instant there are at most three dates and some forty times of day in the world. */
const maxDates = 3;
const maxTimes = 48;

interface Formats {
  readonly writer: MomentWriter;
  /** By the number of the second. */
  readonly times: RecentTexts;
  /** By the number of the day. */
  readonly dates: RecentTexts;
}

/**
 * Formats dates and times in every locale. The zone's offset is added before formatting in UTC,
 * so that one writer serves all zones. Locales of the same format group share it.
 */
export class LocaleFormats {
  readonly #locales: Locales;
  readonly #tables: Tables;
  readonly #rules: ZoneRules;
  readonly #formats = new Map<string, Formats>();
  readonly #byLocale = new Map<SupportedLocale, Formats>();

  constructor(tables: Tables, locales: Locales, rules: ZoneRules) {
    this.#tables = tables;
    this.#locales = locales;
    this.#rules = rules;
  }

  /** How many format groups have been used. */
  get size(): number {
    return this.#formats.size;
  }

  time(locale: SupportedLocale, zone: Zone, instant: number): string {
    const local = instant + this.#rules.offsetAt(zone, instant);
    const { writer, times } = this.#of(locale);
    return times.text(Math.floor(local / second), () => writer.time(local));
  }

  date(locale: SupportedLocale, zone: Zone, instant: number): string {
    const local = instant + this.#rules.offsetAt(zone, instant);
    const { writer, dates } = this.#of(locale);
    return dates.text(Math.floor(local / day), () => writer.date(local));
  }

  resolved(locale: SupportedLocale, style: FormatStyle): Intl.ResolvedDateTimeFormatOptions {
    return new Intl.DateTimeFormat(locale.languageTag, formatOptions[style]).resolvedOptions();
  }

  #of(locale: SupportedLocale): Formats {
    const known = this.#byLocale.get(locale);
    if (known) return known;
    const { formatGroup } = this.#tables.row(this.#locales.position(locale));
    // Groups hold for the ICU that they were computed with; with another one, each locale is its own group.
    const tag = (this.#tables.sameIcu ? this.#locales.tags[formatGroup] : undefined) ?? locale.languageTag;
    const formats = this.#formats.get(tag) ?? {
      writer: this.#writer(tag, formatGroup),
      times: new RecentTexts(maxTimes),
      dates: new RecentTexts(maxDates),
    };
    this.#formats.set(tag, formats);
    this.#byLocale.set(locale, formats);
    return formats;
  }

  #writer(tag: string, formatGroup: number): MomentWriter {
    const writer = new IntlWriter(tag);
    const templates = this.#tables.momentTemplates(formatGroup);
    return templates === undefined ? writer : new TemplateWriter(templates, writer);
  }
}

/** A small cache of formatted texts by number, such as that of a second or a day. */
class RecentTexts {
  readonly #texts = new Map<number, string>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  text(number: number, write: () => string): string {
    const known = this.#texts.get(number);
    if (known !== undefined) return known;
    const text = write();
    if (this.#texts.size >= this.#capacity) this.#texts.clear();
    this.#texts.set(number, text);
    return text;
  }
}
