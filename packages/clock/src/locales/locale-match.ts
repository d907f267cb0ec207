const longestTag = 64;

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

  /** The supported tag that means the same, in any case or under a deprecated name: `iw` is `he`. */
  same(tag: string): string | undefined {
    return this.#exactly(tag) ?? this.#exactly(readTag(tag)?.toString() ?? '');
  }

  nearest(tag: string): string | undefined {
    // Intl takes the variant of en-US-posix for an extension and drops it.
    const same = this.#exactly(tag);
    if (same !== undefined) return same;
    const asked = readTag(tag);
    if (asked === undefined) return undefined;
    const [withVariants = '', ...looser] = matchKeys(asked);
    return (
      this.#exactly(asked.baseName) ??
      this.#byKey([withVariants]) ??
      this.#exactly(withoutVariants(asked)) ??
      this.#byKey(looser)
    );
  }

  #exactly(tag: string): string | undefined {
    return this.#exact.get(tag.toLowerCase());
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

/** Undefined for malformed tags, at which `Intl` throws, and for `und`, which means no language at all. */
function readTag(tag: string): Intl.Locale | undefined {
  if (tag === '' || tag.length > longestTag || /^und\b/i.test(tag)) return undefined;
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
}
