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
  readonly tag: string;
  readonly key: string;
  readonly ours: string;
  readonly theirs: string;
}

const isOffset = (name: string) => /\p{Nd}{2}:?\p{Nd}{2}$/u.test(name);

/** Why a name is not that of ICU4J. */
function reasonFor({ key, theirs }: Difference): string {
  if (key.startsWith('SystemV/')) return "a name of Java's that ICU does not know: we name the zone it means";
  if (isOffset(theirs)) return 'CLDR has no name for the zone: we name its city';
  if (key.startsWith(theirs.split(/[ (]/)[0] ?? '')) return 'CLDR has no name for the language here: ours is English';
  return 'unexplained';
}

/** Each reason, with all that it explains, and one of them in full. */
function reasonRow([reason, [first, ...others]]: [string, [Difference, ...Difference[]]]): string {
  const keys = new Set([first, ...others].map(({ key }) => `\`${key}\``));
  return `| ${reason} | ${[...keys].sort().join(', ')} | \`${first.key}\` in ${first.tag}: ${first.ours}, not ${first.theirs} |`;
}

/** The page with every name that differs from ICU4J's on purpose, by reason, and what else is done otherwise. */
export async function differencesPage(tables: Tables): Promise<string> {
  const file = new URL('../../test/data/icu4j78.json', import.meta.url);
  const icu4j = JSON.parse(readFileSync(file, 'utf8')) as Icu4j;
  const locales = new Locales(tables, 'en-US');
  const names = new Names(tables, locales, new Zones(tables, 'UTC'));
  const reasons = new Map<string, [Difference, ...Difference[]]>();
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
      const difference = { tag, key, ours: ours.get(key) ?? '', theirs: their };
      if (difference.ours === their) continue;
      const reason = reasonFor(difference);
      const found = reasons.get(reason);
      if (found === undefined) reasons.set(reason, [difference]);
      else found.push(difference);
    }
  }
  return `# What differs from ICU4J on purpose

Written with the tables by \`npm run clock:data\`, which compares with ICU4J ${icu4j.icu}, of the same release of CLDR.

| times and dates | why |
|---|---|
| a plain space in times, where CLDR has a narrow one | V8 writes a plain one too, because programs parse times |
| \`es-AR\`: the time with 24 hours, \`HH:mm:ss\` | ICU's \`hh:mm:ss\` has 12 hours without AM and PM |
| no calendar \`islamic-rgsa\` | its dates are sightings of the moon in Mecca, which nobody can compute |
| no Japanese eras before Shōwa (1926) | a clock does not show such dates |

Names, in four languages:

| why | which | for example |
|---|---|---|
${[...reasons].map(reasonRow).join('\n')}

The times of \`es-AR\`, \`nds\`, \`oc\` and \`yo-BJ\` are listed by hand in \`scripts/tables/moment-formats.ts\`: ICU has them, CLDR's JSON packages have the inherited ones, and no rule tells these four from others. Texts of calendars other than the Gregorian one come from ICU ${tables.calendarTable().icu}; which day it is in them is computed by the running Node, and a test compares 2020 to 2049 on each.
`;
}
