import { sameAsBefore } from '../../src/tables/table-texts.ts';
import { keptCalendarRows } from './calendar-rows.ts';
import { cldrVersion, readNumberingSystems } from './cldr.ts';
import { hourTexts } from './hour-texts.ts';
import { languageSources } from './language-source.ts';
import { localePartNamer, localeParts } from './locale-parts.ts';
import { momentFormatter } from './moment-formats.ts';
import { localeOrder, zoneOrder } from './orders.ts';
import { supportedLocales } from './supported-locales.ts';
import { type SupportedZone, supportedZones } from './supported-zones.ts';
import { zoneNamer } from './zone-names.ts';

/**
 * The tables of the clock: an index to be read at start, one long text whose pieces are read when needed, and the formats
 * of times and dates.
 */
export function makeTables(tags: readonly string[] = supportedLocales(), calendars = keptCalendarRows()) {
  const zones = supportedZones();
  const names = nameLists(tags, zones);
  const formats = formatGroups(tags, calendars.rowOf);
  const localeOrders = new Pieces();
  const zoneOrders = new Pieces();
  const ordersOf = oncePerCollation((tag) => [
    localeOrders.add(localeOrder(tags, tag).join(' ')),
    zoneOrders.add(zoneOrder(zones, tag).join(' ')),
  ]);
  const locales = tags.map((tag, position) => [names.listOf[position], ...ordersOf(tag), formats.groupOf[position]]);
  const index = {
    versions: { cldr: cldrVersion(), ...versionsOfNode(), calendars: calendars.icu },
    tags: tags.join(' '),
    parts: Object.values(names.parts).map((subtags) => subtags.join(' ')),
    locales: locales.map((row) => row.join(' ')).join(','),
    zones: zones
      .map(({ id, raw, daylight }, position) =>
        [id, raw, daylight, ...(names.groupsOf[position] ?? [])].join(' ').trim(),
      )
      .join(','),
    zoneGroups: names.groupCounts,
    formatAs: Object.fromEntries(zones.flatMap(({ id, formatAs }) => (formatAs ? [[id, formatAs]] : []))),
    lengths: { names: names.lists.lengths(), localeOrders: localeOrders.lengths(), zoneOrders: zoneOrders.lengths() },
  };
  return {
    index,
    text: names.lists.text() + localeOrders.text() + zoneOrders.text(),
    calendars: calendars.text,
    moments: [JSON.stringify(readNumberingSystems()), ...formats.lines].join('\n'),
  };
}

/** What the set of locales, their orders and the raw offsets depend on. */
function versionsOfNode() {
  const { icu = '', tz = '' } = process.versions;
  return { icu, tz };
}

/** Locales that format alike form a group, which is the position of its first locale. */
function formatGroups(tags: readonly string[], calendarRow: (tag: string) => number) {
  const sourceOf = languageSources();
  const formatOf = momentFormatter(calendarRow);
  const firstWith = new Map<string, number>();
  const groupOf = tags.map((tag, position) => {
    const format = JSON.stringify(formatOf(tag, sourceOf(tag)));
    const group = firstWith.get(format) ?? position;
    firstWith.set(format, group);
    return group;
  });
  return { groupOf, lines: Array.from(firstWith, ([format, group]) => `${group} ${format}`) };
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

/** All names in all languages. */
function nameLists(tags: readonly string[], zones: readonly SupportedZone[]) {
  const parts = localeParts(tags);
  const sourceOf = languageSources();
  const partNamesOf = localePartNamer(parts);
  const hourTextsOf = hourTexts();
  const zoneNamesOf = zoneNamer();
  const sources = byScript([...new Set(tags.map(sourceOf))]);
  const withDaylight = zones.map((zone, position) => ({ zone, position })).filter(({ zone }) => zone.daylight > 0);
  const toName = { standard: zones, daylight: withDaylight.map(({ zone }) => zone) };
  const zoneNames = new Map(sources.map((source) => [source, zoneNamesOf(source, toName)]));
  const standard = groupNames(sources, (source) => zoneNames.get(source)?.standard ?? []);
  const daylight = groupNames(sources, (source) => zoneNames.get(source)?.daylight ?? []);
  const lists = new Pieces();
  const listOfSource = new Map<string, number>();
  for (const source of sources) {
    const lines = [
      ...partNamesOf(source),
      ...(standard.namesIn.get(source) ?? []),
      ...(daylight.namesIn.get(source) ?? []),
      ...hourTextsOf(source),
    ];
    const packed = lines.map((line, at) => (at > 0 && line === lines[at - 1] ? sameAsBefore : line));
    listOfSource.set(source, lists.add(packed.join('\n')));
  }
  const daylightGroups = new Map(withDaylight.map(({ position }, index) => [position, daylight.groupOf[index]]));
  return {
    parts,
    lists,
    listOf: tags.map((tag) => listOfSource.get(sourceOf(tag))),
    groupsOf: zones.map((_, position) => [standard.groupOf[position], daylightGroups.get(position) ?? '']),
    groupCounts: [standard.count, daylight.count],
  };
}

/** Languages of one script follow each other, because their names compress better then. */
function byScript(sources: readonly string[]): string[] {
  const scriptOf = (source: string) => new Intl.Locale(source).maximize().script ?? '';
  const keyed = sources.map((source) => ({ source, script: scriptOf(source) }));
  return keyed.sort((a, b) => (a.script < b.script ? -1 : a.script > b.script ? 1 : 0)).map(({ source }) => source);
}

/** What is called alike in every language forms a group and shares one name. */
function groupNames(sources: readonly string[], namesOf: (source: string) => string[]) {
  const names = new Map(sources.map((source) => [source, namesOf(source)]));
  // Sorted by their English names, so that groups of one name follow each other in most languages.
  const english = names.get('en') ?? [];
  const sorted = [...english.keys()].sort((a, b) => ((english[a] ?? '') < (english[b] ?? '') ? -1 : 1));
  const groups = new Pieces();
  const firstOfGroup: number[] = [];
  const groupOf: number[] = [];
  for (const position of sorted) {
    const group = groups.add(sources.map((source) => names.get(source)?.[position]).join('\n'));
    firstOfGroup[group] ??= position;
    groupOf[position] = group;
  }
  const namesIn = new Map(
    sources.map((source) => [source, firstOfGroup.map((position) => names.get(source)?.[position] ?? '')]),
  );
  return { groupOf, namesIn, count: firstOfGroup.length };
}
