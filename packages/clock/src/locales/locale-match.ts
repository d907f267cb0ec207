const longestTag = 64;

/** Finds the offered tag nearest to one that somebody sent: the same in any case, else of the same language, script, region and variants, and so on down. */
export class LocaleMatch {
  readonly #tags: readonly string[];
  /** By their small letters. */
  readonly #exact: ReadonlyMap<string, string>;
  #byLikeness: ReadonlyMap<string, string> | undefined;

  constructor(tags: readonly string[]) {
    this.#tags = tags;
    this.#exact = new Map(tags.map((tag) => [tag.toLowerCase(), tag]));
  }

  /** The offered tag that means the same, in any case and under an older name: `iw` is `he`. */
  same(tag: string): string | undefined {
    return this.#exactly(tag) ?? this.#exactly(readTag(tag)?.toString() ?? '');
  }

  nearest(tag: string): string | undefined {
    // Intl takes the variant of en-US-posix for an extension and drops it.
    const same = this.#exactly(tag);
    if (same !== undefined) return same;
    const asked = readTag(tag);
    if (asked === undefined) return undefined;
    const [withVariants = '', ...looser] = likenesses(asked);
    return (
      this.#exactly(asked.baseName) ??
      this.#alike([withVariants]) ??
      this.#exactly(withoutVariants(asked)) ??
      this.#alike(looser)
    );
  }

  #exactly(tag: string): string | undefined {
    return this.#exact.get(tag.toLowerCase());
  }

  #alike(likenesses: readonly string[]): string | undefined {
    this.#byLikeness ??= likenessIndex(this.#tags);
    for (const likeness of likenesses) {
      const found = this.#byLikeness.get(likeness);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

const withoutVariants = ({ language, script, region }: Intl.Locale) =>
  [language, script, region].filter((part) => part !== undefined).join('-');

/** From the closest to the loosest. */
function likenesses(locale: Intl.Locale): string[] {
  const { baseName, language, script, region } = locale.maximize();
  return [baseName, `${language}-${script}-${region}`, `${language}-${script}`, language];
}

function likenessIndex(tags: readonly string[]): Map<string, string> {
  const index = new Map<string, string>();
  // The shortest tag stands for those that mean the same, and no region stands for a whole language.
  for (const tag of [...tags].sort((one, other) => one.length - other.length)) {
    const locale = new Intl.Locale(tag);
    const [withVariants = '', withRegion = '', ...withoutRegion] = likenesses(locale);
    for (const likeness of [withVariants, withRegion, ...(locale.region ? [] : withoutRegion)]) {
      if (!index.has(likeness)) index.set(likeness, tag);
    }
  }
  return index;
}

/** `Intl` throws at what is no tag; `und` means no language at all. */
function readTag(tag: string): Intl.Locale | undefined {
  if (tag === '' || tag.length > longestTag || /^und\b/i.test(tag)) return undefined;
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
}
