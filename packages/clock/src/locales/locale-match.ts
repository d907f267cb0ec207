const longestTag = 64;

/** Finds the offered tag nearest to one that somebody sent: the same, else of the same language, script and region, and so on down. */
export class LocaleMatch {
  readonly #tags: readonly string[];
  readonly #exact: ReadonlySet<string>;
  #byLikeness: ReadonlyMap<string, string> | undefined;

  constructor(tags: readonly string[]) {
    this.#tags = tags;
    this.#exact = new Set(tags);
  }

  nearest(tag: string): string | undefined {
    // Intl takes the variant of en-US-posix for an extension and drops it.
    if (this.#exact.has(tag)) return tag;
    const asked = readTag(tag);
    if (asked === undefined) return undefined;
    for (const same of [asked.baseName, withoutVariants(asked)]) if (this.#exact.has(same)) return same;
    this.#byLikeness ??= likenessIndex(this.#tags);
    for (const likeness of likenesses(asked)) {
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
  const { language, script, region } = locale.maximize();
  return [`${language}-${script}-${region}`, `${language}-${script}`, language];
}

function likenessIndex(tags: readonly string[]): Map<string, string> {
  const index = new Map<string, string>();
  // The shortest tag stands for those that mean the same, and no region stands for a whole language.
  for (const tag of [...tags].sort((one, other) => one.length - other.length)) {
    const locale = new Intl.Locale(tag);
    const [withRegion = '', ...withoutRegion] = likenesses(locale);
    for (const likeness of locale.region ? [withRegion] : [withRegion, ...withoutRegion]) {
      if (!index.has(likeness)) index.set(likeness, tag);
    }
  }
  return index;
}

/** `Intl` throws at what is no tag, and takes minutes over what is very long; `und` means no language at all. */
function readTag(tag: string): Intl.Locale | undefined {
  if (tag === '' || tag.length > longestTag) return undefined;
  try {
    return /^und\b/i.test(tag) ? undefined : new Intl.Locale(tag);
  } catch {
    return undefined;
  }
}
