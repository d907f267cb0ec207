import type { NameTexts } from '../tables/name-texts.ts';

/** The texts that a name is put together from, by their lines: the same ones in every language. */
export type NameRecipe = readonly number[];

// What stands around and between the parts of a locale's name; the parts follow, and after them the groups of zones.
const before = 0;
const between = 1;
const after = 2;
const separator = 3;
const firstPart = 4;

/** How locales are named: `language (script, region, variant)`. */
export function localeRecipes(tags: readonly string[], parts: readonly string[]): readonly NameRecipe[] {
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

/** How zones are named: as all zones of their group. */
export const zoneRecipes = (groups: readonly number[], parts: readonly string[]): readonly NameRecipe[] =>
  groups.map((group) => [firstPart + parts.length + group]);

export function nameOf(recipe: NameRecipe, texts: NameTexts): string {
  let name = '';
  for (const line of recipe) name += texts.text(line);
  return name;
}
