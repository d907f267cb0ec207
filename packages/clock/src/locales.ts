import { weightedElements } from '@jig/http';
import { clockError } from './errors.ts';
import { readLines } from './package-folder.ts';

/** A locale that the page can be shown in. */
export class SupportedLocale {
  readonly languageTag: string;
  readonly language: string;
  /** Script and region are the likely ones if the tag has none. */
  readonly script: string | undefined;
  readonly region: string | undefined;
  readonly direction: 'ltr' | 'rtl';

  constructor(languageTag: string) {
    const { language, script, region } = new Intl.Locale(languageTag).maximize();
    this.languageTag = languageTag;
    this.language = language;
    this.script = script;
    this.region = region;
    this.direction = directionOf(script);
  }

  toString(): string {
    return this.languageTag;
  }
}

/** Scripts written from right to left. `Intl.Locale` is wrong about some of their languages. */
const rightToLeft = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Mend', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa', 'Yezi']);

export const directionOf = (script: string | undefined) => (rightToLeft.has(script ?? '') ? 'rtl' : 'ltr');

/** A supported locale, and the tag to format with, which may have an extension: `ja-JP-u-ca-japanese`. */
export interface RequestedLocale {
  readonly locale: SupportedLocale;
  readonly formatTag: string;
}

const maxTagLength = 64;

/** All supported locales. */
export class Locales {
  /** The language tags, sorted by code unit. */
  readonly tags: readonly string[];
  /** For requests without a supported locale. */
  readonly default: SupportedLocale;
  readonly #byTag: ReadonlyMap<string, string>;
  /** Tags to shorter tags with the same names and order. */
  readonly #listTags = new Map<string, string>();
  #byMatchKey: ReadonlyMap<string, string> | undefined;
  readonly #locales = new Map<string, SupportedLocale>();

  constructor(defaultTag: string) {
    this.tags = readLines('locales.txt').map(([tag = '', shorter]) => {
      if (shorter !== undefined) this.#listTags.set(tag, shorter);
      return tag;
    });
    this.#byTag = new Map(this.tags.map((tag) => [tag.toLowerCase(), tag]));
    const nearest = this.nearest(defaultTag);
    if (nearest === undefined) {
      const sentence = `clock.locale is ${JSON.stringify(defaultTag.slice(0, maxTagLength))}, which is not a supported locale; use a language tag such as de-CH.`;
      throw clockError('JIG_CLOCK_LOCALE_UNKNOWN', sentence, { fields: { locale: defaultTag } });
    }
    this.default = nearest;
  }

  toJSON() {
    return { default: this.default, tags: this.tags };
  }

  /** The tag whose lists have the same names and order. */
  listTagOf({ languageTag }: Pick<SupportedLocale, 'languageTag'>): string {
    return this.#listTags.get(languageTag) ?? languageTag;
  }

  /** The locale of this tag or an equivalent one. */
  parse(tag: string): RequestedLocale | undefined {
    const [canonical, found] = this.#match(tag, 2);
    if (found === undefined) return undefined;
    const [, extension = ''] = /(-u-.*)$/.exec(canonical ?? '') ?? [];
    return { locale: this.#locale(found), formatTag: found + extension };
  }

  find(tag: string): SupportedLocale | undefined {
    return this.parse(tag)?.locale;
  }

  /** The nearest locale of the same language. */
  nearest(tag: string): SupportedLocale | undefined {
    const [, found] = this.#match(tag, 4);
    return found === undefined ? undefined : this.#locale(found);
  }

  /** The best match of an `Accept-Language` header (RFC 9110, section 12.5.4). */
  accepted(header = ''): SupportedLocale {
    const ranges = weightedElements(header)
      .filter(({ value, weight }) => weight > 0 && /^[A-Za-z0-9-]{1,64}(?:-\*)?$/.test(value))
      .sort((one, other) => other.weight - one.weight);
    for (const { value } of ranges) {
      const nearest = this.nearest(value.replace(/-\*$/, ''));
      if (nearest) return nearest;
    }
    return this.default;
  }

  /**
   * The canonical form of a tag, and the best supported match: as it is, without extensions, without variants, then by ever less of it.
   * @param depth how many levels of `matchKeys` may be tried
   */
  #match(text: string, depth: number): readonly [canonical?: string, found?: string | undefined] {
    const known = this.#byTag.get(text.toLowerCase());
    if (known !== undefined) return [known, known];
    const locale = parseTag(text);
    if (locale === undefined) return [];
    // Created on first use, since it takes 10 ms.
    this.#byMatchKey ??= tagsByMatchKey(this.tags);
    const { language, script, region, baseName } = locale;
    const withoutVariants = [language, script, region].filter(Boolean).join('-');
    const [exact = '', ...nearer] = matchKeys(locale).slice(0, depth);
    const found =
      this.#byTag.get(baseName.toLowerCase()) ??
      this.#byMatchKey.get(exact) ??
      this.#byTag.get(withoutVariants.toLowerCase()) ??
      nearer.map((key) => this.#byMatchKey?.get(key)).find(Boolean);
    return [locale.toString(), found];
  }

  #locale(tag: string): SupportedLocale {
    const locale = this.#locales.get(tag) ?? new SupportedLocale(tag);
    this.#locales.set(tag, locale);
    return locale;
  }
}

/** Undefined for malformed tags and `und` (no language). POSIX names are understood: `de_DE.UTF-8` is `de-DE`. */
function parseTag(text: string): Intl.Locale | undefined {
  const tag = text
    .trim()
    .replaceAll('_', '-')
    .replace(/-x-.*$|\.[\w-]+$/i, '')
    // Deprecated forms that `Intl` rejects: `zh-cmn-Hans` is `cmn-Hans` (RFC 5646, sections 2.2.2 and 2.2.8).
    .replace(/^en-gb-oed\b/i, 'en-GB-oxendict')
    .replace(/^[a-z]{2,3}-([a-z]{3})\b/i, '$1');
  if (text.length > maxTagLength || /^und\b/i.test(tag)) return undefined;
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
}

/** Among equivalent tags the shortest wins; a tag with a region is never the match of a whole language. */
function tagsByMatchKey(tags: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const tag of tags.toSorted((one, other) => one.length - other.length)) {
    const locale = new Intl.Locale(tag);
    const [exact = '', withRegion = '', ...withoutRegion] = matchKeys(locale);
    for (const key of [exact, withRegion, ...(locale.region ? [] : withoutRegion)])
      if (!found.has(key)) found.set(key, tag);
  }
  return found;
}

/** Keys to match a tag by, from the most to the least specific. */
function matchKeys(locale: Intl.Locale): string[] {
  const { baseName, language, script, region } = locale.maximize();
  return [baseName, `${language}-${script}-${region}`, `${language}-${script}`, language];
}
