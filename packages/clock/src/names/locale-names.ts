/** For each tag the places of its subtags among all parts, so that names are composed without taking tags apart. */
export function subtagPlaces(tags: readonly string[], parts: readonly string[]): readonly (readonly number[])[] {
  const places = new Map(parts.map((part, place) => [part, place]));
  return tags.map((tag) => tag.split('-').map((subtag) => places.get(subtag) ?? 0));
}

/** Composes the names of locales in one language: `language (script, region, variant)`. */
export class LocaleNames {
  readonly #texts: readonly string[];
  readonly #pattern: readonly string[];
  readonly #separator: string;

  /** @param texts the two patterns, then the names of the parts */
  constructor(texts: readonly string[]) {
    const [pattern = '', separator = ''] = texts;
    this.#texts = texts;
    this.#pattern = /^(.*)\{0\}(.*)\{1\}(.*)$/.exec(pattern)?.slice(1) ?? [];
    this.#separator = separator.replace('{0}', '').replace('{1}', '');
  }

  of([language, ...others]: readonly number[]): string {
    if (others.length === 0) return this.#part(language);
    const [before = '', between = '', after = ''] = this.#pattern;
    let inBrackets = '';
    for (const place of others) inBrackets += (inBrackets && this.#separator) + this.#part(place);
    return before + this.#part(language) + between + inBrackets + after;
  }

  #part(place = 0): string {
    return this.#texts[2 + place] ?? '';
  }
}
