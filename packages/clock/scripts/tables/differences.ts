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
  return `# What differs from ICU4J on purpose

Written with the tables by \`npm run clock:data\`. The names are compared with ICU4J ${icu4j.icu}, which has the same release of CLDR, in four languages. Times and dates are the same in every locale, except for these:

| what | why |
|---|---|
| a plain space in times, where CLDR has a narrow one | V8 writes a plain one too, because programs parse times |

| in | of | ours | ICU4J | reason |
|---|---|---|---|---|
${rows.join('\n')}
`;
}
