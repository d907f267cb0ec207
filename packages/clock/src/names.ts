import type { Locales } from './locales/locales.ts';
import type { LanguageTag, SupportedLocale } from './locales/supported-locale.ts';
import type { HourTexts, NameTexts } from './tables/table-texts.ts';
import type { Tables } from './tables/tables.ts';
import type { Zone, ZoneId } from './zones/zone.ts';
import type { Zones } from './zones/zones.ts';

export interface NamedLocale {
  readonly languageTag: LanguageTag;
  readonly displayName: string;
}

export interface NamedZone {
  readonly id: ZoneId;
  readonly rawOffset: number;
  readonly daylightSavings: number;
  readonly displayName: string;
}

/** The locales and the zones, named and sorted for one effective locale. */
export interface NamedLists {
  readonly locales: readonly NamedLocale[];
  readonly zones: readonly NamedZone[];
}

/** What has a name: keys, and the parts of the names, both by position. */
export interface Nameable {
  readonly keys: readonly string[];
  readonly nameParts: readonly NameParts[];
}

/** The texts and orders that the lists of one effective locale are built from. */
interface LocaleLists {
  readonly texts: NameTexts;
  /** Positions in sorted order. */
  readonly localeOrder: Uint16Array;
  readonly zoneOrder: Uint16Array;
}

/** The sorted lists of all locales and zones, with their names in any language. */
export class Names {
  readonly locales: Nameable;
  readonly zones: Nameable;
  readonly #tables: Tables;
  readonly #locales: Locales;
  readonly #zones: Zones;
  /** The line of each zone's name in daylight time, and the first of those about hours. */
  readonly #daylightLines: readonly (number | undefined)[];
  readonly #hourLine: number;

  constructor(tables: Tables, locales: Locales, zones: Zones) {
    const parts = tables.parts();
    this.locales = { keys: locales.tags, nameParts: localeNameParts(locales.tags, parts) };
    this.zones = { keys: zones.all.map(({ id }) => id), nameParts: zoneNameParts(zones.groups, parts) };
    this.#tables = tables;
    this.#locales = locales;
    this.#zones = zones;
    const { standard, daylight } = tables.zoneGroups();
    const daylightLine = firstPart + parts.length + standard;
    this.#daylightLines = zones.daylightGroups.map((group) => (group === undefined ? undefined : daylightLine + group));
    this.#hourLine = daylightLine + daylight;
  }

  /** The zone's name in standard or daylight time. */
  zoneName(zone: Zone, isDaylight: boolean, texts: NameTexts): string {
    const position = this.#zones.position(zone);
    if (position === undefined) return zone.id;
    const daylightLine = isDaylight ? this.#daylightLines[position] : undefined;
    return nameOf(daylightLine === undefined ? (this.zones.nameParts[position] ?? []) : [daylightLine], texts);
  }

  /** How the language of the texts writes a number of hours. */
  hourTexts(texts: NameTexts): HourTexts {
    const [signs, forms, formOf] = [0, 1, 2].map((line) => texts.text(this.#hourLine + line));
    return { signs: signs ?? '', forms: forms ?? '', formOf: formOf ?? '' };
  }

  /** The name of each locale in its own language, in the order of their tags. */
  async ownNames(): Promise<string[]> {
    const tableTexts = await this.#tables.texts();
    return this.#locales.tags.map((_, position) =>
      nameOf(this.locales.nameParts[position] ?? [], tableTexts.names(this.#tables.row(position).list)),
    );
  }

  /** The lists of an effective locale, including the effective zone if it is a custom one. */
  async in(effective: SupportedLocale, zone?: Zone): Promise<NamedLists> {
    const { texts, localeOrder, zoneOrder } = await this.localeLists(effective);
    const locales = Array.from(localeOrder, (position) => ({
      languageTag: (this.locales.keys[position] ?? '') as LanguageTag,
      displayName: nameOf(this.locales.nameParts[position] ?? [], texts),
    }));
    const zones = this.#sortedZones(zoneOrder).map((one) =>
      named(one, nameOf(this.zones.nameParts[this.#zones.position(one) ?? 0] ?? [], texts)),
    );
    if (zone === undefined || this.#zones.position(zone) !== undefined) return { locales, zones };
    const index = insertionIndex(zones, zone, effective.languageTag);
    return { locales, zones: zones.toSpliced(index, 0, named(zone, zone.id)) };
  }

  /** The same as texts and orders, for callers that need no objects. */
  async localeLists(effective: SupportedLocale): Promise<LocaleLists> {
    const { list, localeOrder, zoneOrder } = this.#row(effective);
    const tableTexts = await this.#tables.texts();
    return {
      texts: tableTexts.names(list),
      localeOrder: tableTexts.order('localeOrders', localeOrder),
      zoneOrder: tableTexts.order('zoneOrders', zoneOrder),
    };
  }

  /** Equal for locales with identical lists. */
  listKey(effective: SupportedLocale): string {
    const { list, localeOrder, zoneOrder } = this.#row(effective);
    return `${list} ${localeOrder} ${zoneOrder}`;
  }

  /** The index of the effective locale in its own list, and that of each zone by its position. */
  async listIndexes(effective: SupportedLocale): Promise<{ readonly locale: number; readonly zones: Uint16Array }> {
    const { localeOrder, zoneOrder } = this.#row(effective);
    const texts = await this.#tables.texts();
    return {
      locale: texts.indexes('localeOrders', localeOrder)[this.#locales.position(effective)] ?? 0,
      zones: texts.indexes('zoneOrders', zoneOrder),
    };
  }

  /** The index at which a custom zone belongs in the list of an effective locale. */
  async customZoneIndex(effective: SupportedLocale, zone: Zone): Promise<number> {
    const texts = await this.#tables.texts();
    const zones = this.#sortedZones(texts.order('zoneOrders', this.#row(effective).zoneOrder));
    return insertionIndex(zones, zone, effective.languageTag);
  }

  #sortedZones(order: Uint16Array): Zone[] {
    return Array.from(order, (position) => this.#zones.all[position] as Zone);
  }

  #row(effective: SupportedLocale) {
    return this.#tables.row(this.#locales.position(effective));
  }
}

const named = ({ id, rawOffset, daylightSavings }: Zone, displayName: string) => ({
  id,
  rawOffset,
  daylightSavings,
  displayName,
});

/** The line numbers of the texts that make up a name; they are the same in every language. */
export type NameParts = readonly number[];

// The lines before the parts are the punctuation of locale names; after the parts come the groups of zones.
const before = 0;
const between = 1;
const after = 2;
const separator = 3;
const firstPart = 4;

/** Locale names read `language (script, region, variant)`. */
function localeNameParts(tags: readonly string[], parts: readonly string[]): readonly NameParts[] {
  const lines = new Map(parts.map((part, place) => [part, firstPart + place]));
  return tags.map((tag) => {
    const [language = firstPart, ...others] = tag.split('-').map((subtag) => lines.get(subtag) ?? firstPart);
    if (others.length === 0) return [language];
    return [
      before,
      language,
      between,
      ...others.flatMap((line, place) => (place === 0 ? line : [separator, line])),
      after,
    ];
  });
}

/** A zone has the name of its group. */
const zoneNameParts = (groups: readonly number[], parts: readonly string[]): readonly NameParts[] =>
  groups.map((group) => [firstPart + parts.length + group]);

function nameOf(parts: NameParts, texts: NameTexts): string {
  let name = '';
  for (const line of parts) name += texts.text(line);
  return name;
}

type SortedZone = Pick<Zone, 'id' | 'rawOffset' | 'daylightSavings'>;

/** The index at which a zone belongs among sorted ones: by raw offset, daylight amount and identifier. */
function insertionIndex(zones: readonly SortedZone[], zone: SortedZone, languageTag: string): number {
  const collator = new Intl.Collator(languageTag);
  const compare = (other: SortedZone) =>
    other.rawOffset - zone.rawOffset ||
    other.daylightSavings - zone.daylightSavings ||
    collator.compare(other.id, zone.id);
  const index = zones.findIndex((other) => compare(other) > 0);
  return index === -1 ? zones.length : index;
}
