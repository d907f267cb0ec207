import { readFileSync } from 'node:fs';
import { Locales } from '../../src/locales/locales.ts';
import { Names } from '../../src/names.ts';
import type { Tables } from '../../src/tables/tables.ts';
import { Zones } from '../../src/zones/zones.ts';

interface Icu4j {
  readonly icu: string;
  readonly tags: readonly string[];
  readonly zones: readonly string[];
  readonly names: Readonly<Record<string, { readonly locales: readonly string[]; readonly zones: readonly string[] }>>;
}

interface Difference {
  readonly key: string;
  readonly ours: string;
  readonly theirs: string;
}

const isOffset = (name: string) => /\p{Nd}{2}:?\p{Nd}{2}$/u.test(name);

/** Why a name is not that of ICU4J. */
function reasonFor({ key, theirs }: Difference): string {
  if (key.startsWith('SystemV/')) return "a name of Java's that ICU does not know: we name the zone that it means";
  if (isOffset(theirs)) return 'CLDR has no name for the zone: we name its city, because an offset says nothing';
  if (key.startsWith(theirs.split(/[ (]/)[0] ?? '')) return 'CLDR has no name for the language here: ours is English';
  return 'unexplained';
}

/** The page that lists every name that differs from ICU4J's on purpose, and what else is done otherwise. */
export async function differencesPage(tables: Tables): Promise<string> {
  const file = new URL('../../test/data/icu4j78.json', import.meta.url);
  const icu4j = JSON.parse(readFileSync(file, 'utf8')) as Icu4j;
  const locales = new Locales(tables, 'en-US');
  const names = new Names(tables, locales, new Zones(tables, 'UTC'));
  const rows: string[] = [];
  for (const [tag, theirs] of Object.entries(icu4j.names)) {
    const lists = await names.in(locales.find(tag) ?? locales.default);
    const ours = new Map<string, string>([
      ...lists.locales.map(({ languageTag, displayName }) => [languageTag, displayName] as const),
      ...lists.zones.map(({ id, displayName }) => [id, displayName] as const),
    ]);
    const pairs = [
      ...icu4j.tags.map((key, place) => [key, theirs.locales[place] ?? ''] as const),
      ...icu4j.zones.map((key, place) => [key, theirs.zones[place] ?? ''] as const),
    ];
    for (const [key, their] of pairs) {
      const our = ours.get(key) ?? '';
      const difference = { key, ours: our, theirs: their };
      if (our !== their) rows.push(`| ${tag} | \`${key}\` | ${our} | ${their} | ${reasonFor(difference)} |`);
    }
  }
  const calendarsOf = tables.calendarTable().icu;
  return `# What differs from ICU4J on purpose

Written with the tables by \`npm run clock:data\`. The names are compared with ICU4J ${icu4j.icu}, which has the same release of CLDR, in four languages. Times and dates are the same in every locale, and long dates in all of CLDR's calendars, except for these:

| what | why |
|---|---|
| a plain space in times, where CLDR has a narrow one | V8 writes a plain one too, because programs parse times |
| \`es-AR\`: the time with 24 hours, \`HH:mm:ss\` | ICU's pattern is \`hh:mm:ss\`, 12 hours without AM and PM, so that morning and evening look alike |
| the calendar \`islamic-rgsa\` is not supported | its dates are sightings of the moon in Mecca, which nobody can compute; newer versions of \`Intl\` dropped it too |
| Japanese eras before Shōwa (1926) are not known | a clock does not show such dates |

These are not differences from ICU4J, but need a word:

| what | why |
|---|---|
| the times of \`es-AR\`, \`nds\`, \`oc\` and \`yo-BJ\` are listed by hand in \`scripts/tables/moment-formats.ts\`: their patterns of hours, minutes and seconds take the place of their medium time | ICU has these as their medium time. CLDR's JSON packages have the inherited one there, and no rule tells these four from others: the files of \`hy\`, \`ksh\` and \`tok\` look the same, but ICU has the inherited time for them, and \`yo\` and \`yo-BJ\` have the same file and different times |
| the texts of calendars other than the Gregorian one come from the \`Intl\` of a Node with ICU ${calendarsOf} and are stored in the tables | their CLDR packages are not published with every release |
| which year, month and day it is in them is computed by the \`Intl\` of the running Node, except for the Buddhist, Japanese and Minguo calendars | it was the same for every day from 1600 to 2399 in Node 20.20 (ICU 78.2) and 22.23, 24.21 and 26.10 (ICU 78.3); a test compares 2020 to 2049 on every Node |

| in | of | ours | ICU4J | reason |
|---|---|---|---|---|
${rows.join('\n')}
`;
}
