import type { Locales } from '../locales/locales.ts';
import type { OfferedLocale } from '../locales/offered-locale.ts';
import type { Tables } from '../tables/tables.ts';
import type { Zone } from '../zones/zone.ts';
import type { ZoneRules } from '../zones/zone-rules.ts';
import { type FormatStyle, formatOptions } from './format-style.ts';
import { IntlWriter } from './intl-writer.ts';
import type { MomentWriter } from './moment-writer.ts';
import { RecentTexts } from './recent-texts.ts';
import { TemplateWriter } from './template-writer.ts';

const second = 1000;
const day = 86_400 * second;
/** At any instant it is one of three days somewhere in the world, and one of some forty times of the day. */
const mostDates = 3;
const mostTimes = 48;

interface Formats {
  readonly writer: MomentWriter;
  /** By the number of the second. */
  readonly times: RecentTexts;
  /** By the number of the day. */
  readonly dates: RecentTexts;
}

/**
 * Dates and times in every locale. A zone's time is written as if it were UTC's, moved by the zone's offset:
 * so one writer serves all zones, and locales that write alike share it.
 */
export class LocaleFormats {
  readonly #locales: Locales;
  readonly #tables: Tables;
  readonly #rules: ZoneRules;
  readonly #formats = new Map<string, Formats>();
  readonly #byLocale = new Map<OfferedLocale, Formats>();

  constructor(tables: Tables, locales: Locales, rules: ZoneRules) {
    this.#tables = tables;
    this.#locales = locales;
    this.#rules = rules;
  }

  /** How many locales that write differently have been written in. */
  get size(): number {
    return this.#formats.size;
  }

  time(locale: OfferedLocale, zone: Zone, instant: number): string {
    const local = instant + this.#rules.offsetAt(zone, instant);
    const { writer, times } = this.#of(locale);
    return times.text(Math.floor(local / second), () => writer.time(local));
  }

  date(locale: OfferedLocale, zone: Zone, instant: number): string {
    const local = instant + this.#rules.offsetAt(zone, instant);
    const { writer, dates } = this.#of(locale);
    return dates.text(Math.floor(local / day), () => writer.date(local));
  }

  resolved(locale: OfferedLocale, style: FormatStyle): Intl.ResolvedDateTimeFormatOptions {
    return new Intl.DateTimeFormat(locale.languageTag, formatOptions[style]).resolvedOptions();
  }

  #of(locale: OfferedLocale): Formats {
    const known = this.#byLocale.get(locale);
    if (known) return known;
    const { twin } = this.#tables.row(this.#locales.position(locale));
    // Twins were found with one ICU; with another each locale speaks for itself.
    const tag = (this.#tables.writeAlike ? this.#locales.tags[twin] : undefined) ?? locale.languageTag;
    const formats = this.#formats.get(tag) ?? {
      writer: this.#writer(tag, twin),
      times: new RecentTexts(mostTimes),
      dates: new RecentTexts(mostDates),
    };
    this.#formats.set(tag, formats);
    this.#byLocale.set(locale, formats);
    return formats;
  }

  #writer(tag: string, twin: number): MomentWriter {
    const writer = new IntlWriter(tag);
    const templates = this.#tables.momentTemplates(twin);
    return templates === undefined ? writer : new TemplateWriter(templates, writer);
  }
}
