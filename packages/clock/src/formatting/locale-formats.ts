import { BoundedCache } from '@jig/application/internal';
import type { FormatPreferences } from '../locales/locale-tag.ts';
import type { Locales } from '../locales/locales.ts';
import type { SupportedLocale } from '../locales/supported-locale.ts';
import type { Tables } from '../tables/tables.ts';
import type { Zone } from '../zones/zone.ts';
import type { ZoneRules } from '../zones/zone-rules.ts';
import { MomentWriter } from './moment-writer.ts';

const second = 1000;
const day = 86_400 * second;
/** At any instant there are at most three dates and some forty times of day in the world. */
const maxDates = 3;
const maxTimes = 48;
/** The writers that are kept for tags with a Unicode extension, of which there are hundreds of thousands. */
const maxPreferring = 200;

interface Formats {
  readonly writer: MomentWriter;
  /** By the number of the second. */
  readonly times: BoundedCache<string, number>;
  /** By the number of the day. */
  readonly dates: BoundedCache<string, number>;
}

/**
 * Formats dates and times in every locale. The zone's offset is added before formatting in UTC,
 * so that one writer serves all zones. Locales of the same format group share it.
 */
export class LocaleFormats {
  readonly #locales: Locales;
  readonly #tables: Tables;
  readonly #rules: ZoneRules;
  readonly #byGroup = new Map<number, Formats>();
  readonly #byLocale = new Map<SupportedLocale, Formats>();
  readonly #preferring = new BoundedCache<Formats>(maxPreferring);

  constructor(tables: Tables, locales: Locales, rules: ZoneRules) {
    this.#tables = tables;
    this.#locales = locales;
    this.#rules = rules;
  }

  /** How many format groups have been used. */
  get size(): number {
    return this.#byGroup.size;
  }

  /** How many formats are kept for tags with a Unicode extension. */
  get preferringSize(): number {
    return this.#preferring.size;
  }

  time(locale: SupportedLocale, zone: Zone, instant: number, preferences?: FormatPreferences): string {
    const local = instant + this.#rules.offsetAt(zone, instant);
    const { writer, times } = this.#of(locale, preferences);
    return times.getOrCreate(Math.floor(local / second), () => writer.time(local));
  }

  date(locale: SupportedLocale, zone: Zone, instant: number, preferences?: FormatPreferences): string {
    const local = instant + this.#rules.offsetAt(zone, instant);
    const { writer, dates } = this.#of(locale, preferences);
    return dates.getOrCreate(Math.floor(local / day), () => writer.date(local));
  }

  /** What times and dates are written with in a locale. */
  writer(locale: SupportedLocale, preferences?: FormatPreferences): MomentWriter {
    return this.#of(locale, preferences).writer;
  }

  #of(locale: SupportedLocale, preferences: FormatPreferences | undefined): Formats {
    if (preferences !== undefined) return this.#withPreferences(locale, preferences);
    const known = this.#byLocale.get(locale);
    if (known) return known;
    const group = this.#group(locale);
    const formats = this.#byGroup.get(group) ?? this.#make(group);
    this.#byGroup.set(group, formats);
    this.#byLocale.set(locale, formats);
    return formats;
  }

  #withPreferences(locale: SupportedLocale, preferences: FormatPreferences): Formats {
    const group = this.#group(locale);
    const key = `${group} ${preferencesKey(preferences)}`;
    return this.#preferring.getOrCreate(key, () => this.#make(group, preferences));
  }

  #group(locale: SupportedLocale): number {
    return this.#tables.row(this.#locales.position(locale)).formatGroup;
  }

  #make(group: number, preferences?: FormatPreferences): Formats {
    const format = this.#tables.momentFormat(group);
    const writer = new MomentWriter({
      format,
      preferences,
      calendarFormat: (calendar) => this.#tables.calendarFormat(format, calendar),
      digits: (numbers) => this.#tables.digits(numbers),
    });
    return { writer, times: new BoundedCache(maxTimes), dates: new BoundedCache(maxDates) };
  }
}

/** Equal for equal preferences. */
export const preferencesKey = (preferences: FormatPreferences | undefined): string =>
  preferences === undefined
    ? ''
    : `${preferences.calendar ?? ''} ${preferences.numbers ?? ''} ${preferences.hourCycle ?? ''}`;
