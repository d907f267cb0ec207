import { parseLocaleTag } from './locale-tag.ts';

/** Finds the supported tag nearest to a requested one: first the same tag in any case, then the same language, script, region and variants, then fewer of them. */
export class LocaleMatch {
  readonly #tags: readonly string[];
  /** By the tag in lower case. */
  readonly #exact: ReadonlyMap<string, string>;
  #byMatchKey: ReadonlyMap<string, string> | undefined;

  constructor(tags: readonly string[]) {
    this.#tags = tags;
    this.#exact = new Map(tags.map((tag) => [tag.toLowerCase(), tag]));
  }

  /** The supported tag in any case. `Intl` takes the variant of `en-US-posix` for an extension and drops it. */
  exact(tag: string): string | undefined {
    return this.#exact.get(tag.toLowerCase());
  }

  /** The supported tag of the same language, script and region, named or implied; variants may be missing. */
  same(locale: Intl.Locale): string | undefined {
    const [withVariants = '', withRegion = ''] = matchKeys(locale);
    return (
      this.exact(locale.baseName) ??
      this.#byKey([withVariants]) ??
      this.exact(withoutVariants(locale)) ??
      this.#byKey([withRegion])
    );
  }

  nearest(tag: string): string | undefined {
    const exact = this.exact(tag);
    if (exact !== undefined) return exact;
    const asked = parseLocaleTag(tag)?.locale;
    return asked === undefined ? undefined : (this.same(asked) ?? this.#byKey(matchKeys(asked).slice(2)));
  }

  #byKey(keys: readonly string[]): string | undefined {
    this.#byMatchKey ??= indexByMatchKey(this.#tags);
    for (const key of keys) {
      const found = this.#byMatchKey.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

const withoutVariants = ({ language, script, region }: Intl.Locale) =>
  [language, script, region].filter((part) => part !== undefined).join('-');

/** From the most to the least specific. */
function matchKeys(locale: Intl.Locale): string[] {
  const { baseName, language, script, region } = locale.maximize();
  return [baseName, `${language}-${script}-${region}`, `${language}-${script}`, language];
}

function indexByMatchKey(tags: readonly string[]): Map<string, string> {
  const index = new Map<string, string>();
  // The shortest tag wins among those that mean the same, and a tag with a region never represents a whole language.
  for (const tag of [...tags].sort((one, other) => one.length - other.length)) {
    const locale = new Intl.Locale(tag);
    const [withVariants = '', withRegion = '', ...withoutRegion] = matchKeys(locale);
    for (const key of [withVariants, withRegion, ...(locale.region ? [] : withoutRegion)]) {
      if (!index.has(key)) index.set(key, tag);
    }
  }
  return index;
}
