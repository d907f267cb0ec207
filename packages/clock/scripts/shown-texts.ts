import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { LocaleFormats } from '../src/formatting/locale-formats.ts';
import { calendars, Locales } from '../src/locales/locales.ts';
import { Names } from '../src/names.ts';
import { Tables } from '../src/tables/tables.ts';
import { ZoneRules } from '../src/zones/zone-rules.ts';
import { Zones } from '../src/zones/zones.ts';

/** What users read: by locale, the names in its lists, and a time and a date. */
export interface ShownTexts {
  readonly versions: string;
  readonly locales: readonly string[];
  readonly zones: readonly string[];
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const moment = Date.UTC(2026, 2, 2, 15, 4, 5);

export async function shownTexts(): Promise<ShownTexts> {
  const tables = Tables.read();
  const locales = new Locales(tables, 'en-US');
  const zones = new Zones(tables, 'UTC');
  const names = new Names(tables, locales, zones);
  const rules = ZoneRules.read();
  const formats = new LocaleFormats(tables, locales, rules);
  const texts: Record<string, Record<string, string>> = {};
  const shownLists = new Set<number>();
  for (const [position, tag] of locales.tags.entries()) {
    const locale = locales.find(tag) ?? locales.default;
    const dates = calendars.map((calendar) => [
      `date in ${calendar}`,
      formats.date(locale, zones.gmt, moment, { calendar, numbers: undefined, hourCycle: undefined }),
    ]);
    const moments = {
      time: formats.time(locale, zones.gmt, moment),
      date: formats.date(locale, zones.gmt, moment),
      ...Object.fromEntries(dates),
    };
    // One locale stands for all that have its list.
    const { list } = tables.row(position);
    const lists = shownLists.has(list) ? { locales: [], zones: [] } : await names.in(locale);
    shownLists.add(list);
    texts[tag] = {
      ...moments,
      ...Object.fromEntries(lists.locales.map(({ languageTag, displayName }) => [languageTag, displayName])),
      ...Object.fromEntries(lists.zones.map(({ id, displayName }) => [id, displayName])),
    };
  }
  const versions = `CLDR ${tables.madeFrom.cldr}, time zones ${rules.release}`;
  return { versions, locales: locales.tags, zones: zones.all.map(({ id }) => id), texts };
}

/** The same on every Node: names, times and dates do not depend on its ICU. */
export const digestOf = ({ locales, zones, texts }: ShownTexts): string =>
  createHash('sha256')
    .update(JSON.stringify([locales, zones, texts]))
    .digest('hex');

const maxExamples = 20;

/** The differences as lines to print. */
export function shownChanges(before: ShownTexts, after: ShownTexts): string[] {
  const lines = [`${before.versions} -> ${after.versions}`];
  for (const kind of ['locales', 'zones'] as const) {
    const added = after[kind].filter((key) => !before[kind].includes(key));
    const removed = before[kind].filter((key) => !after[kind].includes(key));
    if (added.length > 0) lines.push(`New ${kind}: ${added.join(' ')}`);
    if (removed.length > 0) lines.push(`Removed ${kind}: ${removed.join(' ')}`);
  }
  const changes = Object.entries(after.texts).flatMap(([tag, texts]) =>
    Object.entries(texts).flatMap(([key, text]) => {
      const former = before.texts[tag]?.[key];
      return former === undefined || former === text ? [] : [`${tag}: ${key}: ${former} -> ${text}`];
    }),
  );
  lines.push(`Changed texts: ${changes.length}`, ...changes.slice(0, maxExamples));
  if (changes.length > maxExamples) lines.push(`and ${changes.length - maxExamples} more`);
  return lines;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(JSON.stringify(await shownTexts()));
}
