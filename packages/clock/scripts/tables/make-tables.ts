import { namesVersion } from './cldr.ts';
import { formatGroups } from './format-groups.ts';
import { languageSources } from './language-source.ts';
import { localePartNamer, localeParts } from './locale-parts.ts';
import { momentTemplates } from './moment-templates.ts';
import { localeOrder, zoneOrder } from './orders.ts';
import { supportedLocales } from './supported-locales.ts';
import { type SupportedZone, supportedZones } from './supported-zones.ts';
import { zoneNamer } from './zone-names.ts';

/** The tables of the clock: an index to be read at start, one long text whose pieces are read when needed, and the templates of times and dates. */
export function makeTables() {
  const tags = supportedLocales();
  const zones = supportedZones();
  const names = nameLists(tags, zones);
  const groups = formatGroups(tags);
  const localeOrders = new Pieces();
  const zoneOrders = new Pieces();
  const ordersOf = oncePerCollation((tag) => [
    localeOrders.add(localeOrder(tags, tag).join(' ')),
    zoneOrders.add(zoneOrder(zones, tag).join(' ')),
  ]);
  const locales = tags.map((tag, position) => [names.listOf[position], ...ordersOf(tag), groups[position]]);
  const index = {
    versions: { names: namesVersion(), ...versionsOfNode() },
    tags: tags.join(' '),
    parts: Object.values(names.parts).map((subtags) => subtags.join(' ')),
    locales: locales.map((row) => row.join(' ')).join(','),
    zones: zones
      .map(({ id, raw, daylight }, position) => `${id} ${raw} ${daylight} ${names.groupOf[position]}`)
      .join(','),
    formatAs: Object.fromEntries(zones.flatMap(({ id, formatAs }) => (formatAs ? [[id, formatAs]] : []))),
    lengths: { names: names.lists.lengths(), localeOrders: localeOrders.lengths(), zoneOrders: zoneOrders.lengths() },
  };
  return {
    index,
    text: names.lists.text() + localeOrders.text() + zoneOrders.text(),
    moments: [...new Set(groups)]
      .map((formatGroup) => `${formatGroup} ${JSON.stringify(momentTemplates(tags[formatGroup] ?? ''))}`)
      .join('\n'),
  };
}

function versionsOfNode() {
  const { icu = '', cldr = '', tz = '' } = process.versions;
  return { icu, cldr, tz };
}

/** Hundreds of locales share a few dozen collations, and sorting is what takes long. */
function oncePerCollation<Result>(make: (tag: string) => Result): (tag: string) => Result {
  const made = new Map<string, Result>();
  return (tag) => {
    const { locale } = new Intl.Collator(tag).resolvedOptions();
    const result = made.get(locale) ?? make(tag);
    made.set(locale, result);
    return result;
  };
}

/** Distinct texts, each kept once. */
class Pieces {
  readonly #places = new Map<string, number>();

  add(text: string): number {
    const place = this.#places.get(text) ?? this.#places.size;
    this.#places.set(text, place);
    return place;
  }

  text = (): string => [...this.#places.keys()].join('');
  lengths = (): number[] => [...this.#places.keys()].map((text) => Buffer.byteLength(text));
}

/** All names in all languages. Zones that are called alike everywhere form a group and share one name. */
function nameLists(tags: readonly string[], zones: readonly SupportedZone[]) {
  const parts = localeParts(tags);
  const sourceOf = languageSources();
  const partNamesOf = localePartNamer(parts);
  const zoneNamesOf = zoneNamer();
  const sources = [...new Set(tags.map(sourceOf))];
  const zoneNames = new Map(sources.map((source) => [source, zoneNamesOf(source, zones)]));

  const groups = new Pieces();
  const firstOfGroup: number[] = [];
  const groupOf = zones.map((_, position) => {
    const group = groups.add(sources.map((source) => zoneNames.get(source)?.[position]).join('\n'));
    firstOfGroup[group] ??= position;
    return group;
  });

  const lists = new Pieces();
  const listOfSource = new Map<string, number>();
  for (const source of sources) {
    const ofGroups = firstOfGroup.map((position) => zoneNames.get(source)?.[position] ?? '');
    listOfSource.set(source, lists.add([...partNamesOf(source), ...ofGroups].join('\n')));
  }
  return { parts, lists, listOf: tags.map((tag) => listOfSource.get(sourceOf(tag))), groupOf };
}
