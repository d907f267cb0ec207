import type { Locales } from '../locales/locales.ts';
import type { LanguageTag, OfferedLocale } from '../locales/offered-locale.ts';
import type { TableTexts } from '../tables/table-texts.ts';
import type { Tables } from '../tables/tables.ts';
import type { Zone } from '../zones/zone.ts';
import type { Zones } from '../zones/zones.ts';
import { insertZone } from './insert-zone.ts';
import { LocaleNames, subtagPlaces } from './locale-names.ts';
import type { LazyList, LazyLists, NamedLists } from './named-lists.ts';

/** Names and sorts all locales and zones, in any of the languages. */
export class Names {
  readonly #tables: Tables;
  readonly #locales: Locales;
  readonly #zones: Zones;
  readonly #parts: readonly string[];
  readonly #subtagPlaces: readonly (readonly number[])[];

  constructor(tables: Tables, locales: Locales, zones: Zones) {
    this.#tables = tables;
    this.#locales = locales;
    this.#zones = zones;
    this.#parts = tables.parts();
    this.#subtagPlaces = subtagPlaces(locales.tags, this.#parts);
  }

  /** The lists of an effective locale; an effective zone of the user's own is among them. */
  async in(effective: OfferedLocale, zone?: Zone): Promise<NamedLists> {
    const { locales, zones } = await this.lists(effective, zone);
    return { locales: toArray(locales), zones: toArray(zones) };
  }

  /** As `in`, for those who look at each entry once. */
  async lists(effective: OfferedLocale, zone?: Zone): Promise<LazyLists> {
    const lists = this.#offered(effective, await this.#tables.texts());
    if (zone === undefined || this.#zones.position(zone) !== undefined) return lists;
    return { ...lists, zones: insertZone(toArray(lists.zones), zone, effective.languageTag) };
  }

  /** Equal for locales whose lists read the same. */
  likeness(effective: OfferedLocale): string {
    const { list, localeOrder, zoneOrder } = this.#tables.row(this.#locales.position(effective));
    return `${list} ${localeOrder} ${zoneOrder}`;
  }

  /** Where the effective locale stands in its own list, and each zone by its position. */
  async places(effective: OfferedLocale): Promise<{ readonly locale: number; readonly zones: Uint16Array }> {
    const position = this.#locales.position(effective);
    const { localeOrder, zoneOrder } = this.#tables.row(position);
    const texts = await this.#tables.texts();
    return {
      locale: texts.places('localeOrders', localeOrder)[position] ?? 0,
      zones: texts.places('zoneOrders', zoneOrder),
    };
  }

  #offered(effective: OfferedLocale, tableTexts: TableTexts): LazyLists {
    const { list, localeOrder, zoneOrder } = this.#tables.row(this.#locales.position(effective));
    const texts = tableTexts.names(list);
    const localeNames = new LocaleNames(texts);
    const firstZone = 2 + this.#parts.length;
    const { tags } = this.#locales;
    const { all } = this.#zones;
    return {
      locales: lazily(tableTexts.order('localeOrders', localeOrder), (position) => ({
        languageTag: (tags[position] ?? '') as LanguageTag,
        displayName: localeNames.of(this.#subtagPlaces[position] ?? []),
      })),
      zones: lazily(tableTexts.order('zoneOrders', zoneOrder), (position) => {
        const { id, rawOffset, daylightSavings } = all[position] as Zone;
        const displayName = texts[firstZone + this.#zones.group(position)] ?? id;
        return { id, rawOffset, daylightSavings, displayName };
      }),
    };
  }
}

function lazily<Entry>(order: Uint16Array, entryOf: (position: number) => Entry): LazyList<Entry> {
  return {
    length: order.length,
    at: (place) => {
      const position = order[place];
      return position === undefined ? undefined : entryOf(position);
    },
  };
}

const toArray = <Entry>(list: LazyList<Entry>): Entry[] =>
  Array.from({ length: list.length }, (_, place) => list.at(place) as Entry);
