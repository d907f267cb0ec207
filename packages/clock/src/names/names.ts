import type { Locales } from '../locales/locales.ts';
import type { LanguageTag, OfferedLocale } from '../locales/offered-locale.ts';
import type { Tables } from '../tables/tables.ts';
import type { Zone } from '../zones/zone.ts';
import type { Zones } from '../zones/zones.ts';
import { localeRecipes, nameOf, zoneRecipes } from './name-recipe.ts';
import type { Nameable, NamedLists, Wording } from './named-lists.ts';
import { placeAmong } from './place-among.ts';

/** Names and sorts all locales and zones, in any of the languages. */
export class Names {
  readonly locales: Nameable;
  readonly zones: Nameable;
  readonly #tables: Tables;
  readonly #locales: Locales;
  readonly #zones: Zones;

  constructor(tables: Tables, locales: Locales, zones: Zones) {
    const parts = tables.parts();
    this.locales = { keys: locales.tags, recipes: localeRecipes(locales.tags, parts) };
    this.zones = { keys: zones.all.map(({ id }) => id), recipes: zoneRecipes(zones.groups, parts) };
    this.#tables = tables;
    this.#locales = locales;
    this.#zones = zones;
  }

  /** The lists of an effective locale; an effective zone of the user's own is among them. */
  async in(effective: OfferedLocale, zone?: Zone): Promise<NamedLists> {
    const { texts, localeOrder, zoneOrder } = await this.wording(effective);
    const locales = Array.from(localeOrder, (position) => ({
      languageTag: (this.locales.keys[position] ?? '') as LanguageTag,
      displayName: nameOf(this.locales.recipes[position] ?? [], texts),
    }));
    const zones = this.#sortedZones(zoneOrder).map((one) =>
      named(one, nameOf(this.zones.recipes[this.#zones.position(one) ?? 0] ?? [], texts)),
    );
    if (zone === undefined || this.#zones.position(zone) !== undefined) return { locales, zones };
    const place = placeAmong(zones, zone, effective.languageTag);
    return { locales, zones: zones.toSpliced(place, 0, named(zone, zone.id)) };
  }

  /** What the lists of an effective locale are made of, for those who need no list of objects. */
  async wording(effective: OfferedLocale): Promise<Wording> {
    const { list, localeOrder, zoneOrder } = this.#row(effective);
    const tableTexts = await this.#tables.texts();
    return {
      texts: tableTexts.names(list),
      localeOrder: tableTexts.order('localeOrders', localeOrder),
      zoneOrder: tableTexts.order('zoneOrders', zoneOrder),
    };
  }

  /** Equal for locales whose lists read the same. */
  likeness(effective: OfferedLocale): string {
    const { list, localeOrder, zoneOrder } = this.#row(effective);
    return `${list} ${localeOrder} ${zoneOrder}`;
  }

  /** Where the effective locale stands in its own list, and each zone by its position. */
  async places(effective: OfferedLocale): Promise<{ readonly locale: number; readonly zones: Uint16Array }> {
    const { localeOrder, zoneOrder } = this.#row(effective);
    const texts = await this.#tables.texts();
    return {
      locale: texts.places('localeOrders', localeOrder)[this.#locales.position(effective)] ?? 0,
      zones: texts.places('zoneOrders', zoneOrder),
    };
  }

  /** Where a zone of the user's own belongs among those of an effective locale. */
  async ownPlace(effective: OfferedLocale, zone: Zone): Promise<number> {
    const texts = await this.#tables.texts();
    const zones = this.#sortedZones(texts.order('zoneOrders', this.#row(effective).zoneOrder));
    return placeAmong(zones, zone, effective.languageTag);
  }

  #sortedZones(order: Uint16Array): Zone[] {
    return Array.from(order, (position) => this.#zones.all[position] as Zone);
  }

  #row(effective: OfferedLocale) {
    return this.#tables.row(this.#locales.position(effective));
  }
}

const named = ({ id, rawOffset, daylightSavings }: Zone, displayName: string) => ({
  id,
  rawOffset,
  daylightSavings,
  displayName,
});
