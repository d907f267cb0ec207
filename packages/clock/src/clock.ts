import { type Formatted, formatter } from './formats.ts';
import type { SupportedLocale } from './locales.ts';
import type { NamedLists, NamedLocale, NamedZone } from './names.ts';
import type { Selection } from './selection.ts';
import type { Zone } from './zones.ts';

/** The model of the page, with the property names of docs/specification.md. */
export class Clock {
  /** The effective locale. */
  readonly locale: SupportedLocale;
  /** The effective time zone. */
  readonly zone: Zone;
  /** The time of the request. */
  readonly timestamp: Date;
  readonly date: MomentFormatter;
  readonly time: MomentFormatter;
  /** Sorted by language tag in the collation of the effective locale. */
  readonly locales: readonly NamedLocale[];
  /** Sorted by raw offset, daylight saving and identifier. */
  readonly zones: readonly NamedZone[];

  constructor(selection: Pick<Selection, 'locale' | 'zone' | 'formatTag'>, timestamp: Date, lists: NamedLists) {
    this.locale = selection.locale;
    this.zone = selection.zone;
    this.timestamp = timestamp;
    this.date = new MomentFormatter('long date', selection);
    this.time = new MomentFormatter('medium time', selection);
    this.locales = lists.locales;
    this.zones = lists.zones;
  }
}

/** Formats the date or the time of a moment in one locale and one zone. */
class MomentFormatter {
  readonly style: 'long date' | 'medium time';
  readonly languageTag: string;
  readonly zoneID: string;
  readonly calendar: string;
  readonly numberingSystem: string;
  readonly #zone: Zone;

  constructor(style: MomentFormatter['style'], { zone, formatTag }: Formatted) {
    this.style = style;
    this.languageTag = formatTag;
    this.zoneID = zone.id;
    this.#zone = zone;
    const { calendar, numberingSystem } = this.#format().resolvedOptions();
    this.calendar = calendar;
    this.numberingSystem = numberingSystem;
  }

  format(moment: Date): string {
    const instant = moment.getTime();
    return this.#format().format(instant + this.#zone.periodAt(instant).offset);
  }

  #format = () => formatter(this.languageTag, this.style === 'long date' ? 'dateStyle' : 'timeStyle');
}
