import { setImmediate as nextTurn } from 'node:timers/promises';
import { Cache } from './cache.ts';
import type { Locales, SupportedLocale } from './locales.ts';
import type { Zone, Zones } from './zones.ts';

export interface NamedLocale {
  readonly languageTag: string;
  readonly displayName: string;
}

export interface NamedZone {
  readonly id: string;
  readonly rawOffset: number;
  readonly daylightSavings: number;
  readonly displayName: string;
}

/** All locales and zones with names, sorted for one locale. */
export interface NamedLists {
  readonly locales: readonly NamedLocale[];
  readonly zones: readonly NamedZone[];
}

/** The lists of one language take 40 ms and 0.3 MB. */
const maxLists = 60;
/** After so many names (about 3 ms), the event loop handles other requests. */
const localesPerTurn = 200;
const zonesPerTurn = 20;

/** The lists of all locales and zones, by language. */
export class Names {
  readonly #locales: Locales;
  readonly #zones: Zones;
  readonly #lists = new Cache<Promise<NamedLists>>(maxLists);

  constructor(locales: Locales, zones: Zones) {
    this.#locales = locales;
    this.#zones = zones;
  }

  toJSON() {
    return { lists: this.#lists.size };
  }

  /** The lists for a locale. They include `zone`, even if it is a custom one. */
  async listsFor(locale: SupportedLocale, zone?: Zone): Promise<NamedLists> {
    const tag = this.#locales.listTagOf(locale);
    const lists = await this.#lists.get(tag, () => this.#make(tag));
    if (zone === undefined || this.#zones.isListed(zone)) return lists;
    return { ...lists, zones: sortZones([...lists.zones, named(zone, zone.id)], tag) };
  }

  async #make(languageTag: string): Promise<NamedLists> {
    const [own, english] = [languageNames(languageTag), languageNames('en')];
    const locales: NamedLocale[] = [];
    for (const tag of this.#locales.tags) {
      locales.push({ languageTag: tag, displayName: own.of(tag) ?? english.of(tag) ?? tag });
      if (locales.length % localesPerTurn === 0) await nextTurn();
    }
    const groups = new Map<string, string>();
    const zones: NamedZone[] = [];
    for (const zone of this.#zones.all) {
      const isPlace = zone.namedAs === 'place';
      const group = isPlace ? zone : (this.#zones.find(zone.namedAs) ?? zone);
      let name = groups.get(group.id);
      if (name === undefined) {
        name = isPlace ? zoneName(languageTag, group) : (longName(languageTag, group) ?? zoneName('en', group));
        groups.set(group.id, name);
        if (groups.size % zonesPerTurn === 0) await nextTurn();
      }
      zones.push(named(zone, name));
    }
    await nextTurn();
    return { locales: sort(locales, ({ languageTag: tag }) => tag, languageTag), zones: sortZones(zones, languageTag) };
  }
}

/** `of` returns undefined for a tag whose language has no name in the given language. */
const languageNames = (languageTag: string) =>
  new Intl.DisplayNames(languageTag, { type: 'language', languageDisplay: 'standard', fallback: 'none' });

const named = ({ id, rawOffset, daylightSavings }: Zone, displayName: string): NamedZone => ({
  id,
  rawOffset,
  daylightSavings,
  displayName,
});

const [january, july] = [Date.UTC(2025, 0, 1), Date.UTC(2025, 6, 1)];

/** An instant of standard or daylight time; in the past, since the rules of Node may be older than ours. */
const instantOf = (zone: Zone, isDaylight: boolean) =>
  (zone.periodAt(january).offset !== zone.rawOffset) === isDaylight ? january : july;

const nameAt = (languageTag: string, timeZone: string, instant: number, timeZoneName: 'long' | 'longGeneric') =>
  new Intl.DateTimeFormat(languageTag, { timeZone, timeZoneName, second: 'numeric' })
    .formatToParts(instant)
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;

/** The name of a zone; undefined where the language has only its offset, unless the zone has no other name (`Etc/…`). */
function longName(languageTag: string, zone: Zone, isDaylight = false): string | undefined {
  const name = nameAt(languageTag, zone.formatAs, instantOf(zone, isDaylight), 'long');
  return /\p{Nd}{2}/u.test(name) && !zone.formatAs.startsWith('Etc/') ? undefined : name;
}

/** The name of a zone, or that of its place; in English where the language has only an offset or a region code. */
export function zoneName(languageTag: string, zone: Zone, isDaylight = false): string {
  const name = longName(languageTag, zone, isDaylight);
  if (name !== undefined) return name;
  const place = nameAt(languageTag, zone.formatAs, july, 'longGeneric');
  return languageTag !== 'en' && /\b[A-Z]{2}\b|\p{Nd}/u.test(place) ? zoneName('en', zone, isDaylight) : place;
}

/** Sorts in the collation of the locale. Hyphens are ignored except to break ties. */
function sort<Item>(items: readonly Item[], textOf: (item: Item) => string, languageTag: string): Item[] {
  const { compare } = new Intl.Collator(languageTag);
  return items
    .map((item) => ({ item, text: textOf(item), letters: textOf(item).replaceAll('-', '') }))
    .sort(
      (one, other) =>
        compare(one.letters, other.letters) || one.text.length - other.text.length || (one.text < other.text ? -1 : 1),
    )
    .map(({ item }) => item);
}

/** Sorts by offset, daylight saving and identifier. */
const sortZones = (zones: readonly NamedZone[], languageTag: string): NamedZone[] =>
  sort(zones, ({ id }) => id, languageTag).sort(
    (one, other) => one.rawOffset - other.rawOffset || one.daylightSavings - other.daylightSavings,
  );
