import { weightedElements } from '@jig/http';
import { clockError } from './errors.ts';
import { readLines } from './package-folder.ts';

/** A locale that the page can be shown in. */
export class SupportedLocale {
  readonly languageTag: string;
  readonly language: string;
  /** Script and region are those that the tag implies when it does not name them. */
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

/** The scripts written from right to left; `Intl.Locale`'s own answer is wrong for some languages written in them. */
const rightToLeft = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Mend', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa', 'Yezi']);

export const directionOf = (script: string | undefined) => (rightToLeft.has(script ?? '') ? 'rtl' : 'ltr');

/** A supported locale, and the tag to format with, which may have a Unicode extension: `ja-JP-u-ca-japanese`. */
export interface RequestedLocale {
  readonly locale: SupportedLocale;
  readonly formatTag: string;
}

const maxTagLength = 64;

/** All supported locales. */
export class Locales {
  /** The language tags, sorted by code unit. */
  readonly tags: readonly string[];
  /** For requests that ask for no supported locale. */
  readonly default: SupportedLocale;
  readonly #byTag: ReadonlyMap<string, string>;
  /** By tag, for those that share the names and orders of a shorter one. */
  readonly #sameLists = new Map<string, string>();
  #byMeaning: ReadonlyMap<string, string> | undefined;
  readonly #made = new Map<string, SupportedLocale>();

  constructor(defaultTag: string) {
    this.tags = readLines('locales.txt').map(([tag = '', shorter]) => {
      if (shorter !== undefined) this.#sameLists.set(tag, shorter);
      return tag;
    });
    this.#byTag = new Map(this.tags.map((tag) => [tag.toLowerCase(), tag]));
    const nearest = this.nearest(defaultTag);
    if (nearest === undefined) {
      const sentence = `There is no locale ${JSON.stringify(defaultTag.slice(0, maxTagLength))}, which clock.locale asks for; give a language tag such as de-CH.`;
      throw clockError('JIG_CLOCK_LOCALE_UNKNOWN', sentence, { fields: { locale: defaultTag } });
    }
    this.default = nearest;
  }

  toJSON() {
    return { default: this.default, tags: this.tags };
  }

  /** A locale in which everything has the same names and the same order. */
  listsOf({ languageTag }: Pick<SupportedLocale, 'languageTag'>): string {
    return this.#sameLists.get(languageTag) ?? languageTag;
  }

  /** The locale of this tag, or of one that means the same. */
  read(tag: string): RequestedLocale | undefined {
    const [asked, found] = this.#match(tag, 2);
    if (found === undefined) return undefined;
    const [, extension = ''] = /(-u-.*)$/.exec(asked ?? '') ?? [];
    return { locale: this.#locale(found), formatTag: found + extension };
  }

  find(tag: string): SupportedLocale | undefined {
    return this.read(tag)?.locale;
  }

  /** The locale that comes nearest: of the same language at least. */
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

  /** The tag in canonical form, and the supported one that has as much as possible of its meaning. */
  #match(text: string, depth: number): readonly [asked?: string, found?: string | undefined] {
    const known = this.#byTag.get(text.toLowerCase());
    if (known !== undefined) return [known, known];
    const locale = parseTag(text);
    if (locale === undefined) return [];
    // Made when it is first needed, since it takes 10 ms.
    this.#byMeaning ??= tagsByMeaning(this.tags);
    const { language, script, region, baseName } = locale;
    const withoutVariants = [language, script, region].filter(Boolean).join('-');
    const [exact = '', ...nearer] = meanings(locale).slice(0, depth);
    const found =
      this.#byTag.get(baseName.toLowerCase()) ??
      this.#byMeaning.get(exact) ??
      this.#byTag.get(withoutVariants.toLowerCase()) ??
      nearer.map((key) => this.#byMeaning?.get(key)).find(Boolean);
    return [locale.toString(), found];
  }

  #locale(tag: string): SupportedLocale {
    const locale = this.#made.get(tag) ?? new SupportedLocale(tag);
    this.#made.set(tag, locale);
    return locale;
  }
}

/** Undefined for malformed tags, and for `und`, which means no language at all; `de_DE.UTF-8` is `de-DE`. */
function parseTag(text: string): Intl.Locale | undefined {
  const tag = text
    .trim()
    .replaceAll('_', '-')
    .replace(/-x-.*$|\.[\w-]+$/i, '')
    // Old forms that `Intl` refuses: `zh-cmn-Hans` is `cmn-Hans` (RFC 5646, sections 2.2.2 and 2.2.8).
    .replace(/^en-gb-oed\b/i, 'en-GB-oxendict')
    .replace(/^[a-z]{2,3}-([a-z]{3})\b/i, '$1');
  if (text.length > maxTagLength || /^und\b/i.test(tag)) return undefined;
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
}

/** The shortest tag wins among those that mean the same, and a tag with a region never represents a whole language. */
function tagsByMeaning(tags: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const tag of tags.toSorted((one, other) => one.length - other.length)) {
    const locale = new Intl.Locale(tag);
    const [exact = '', withRegion = '', ...withoutRegion] = meanings(locale);
    for (const key of [exact, withRegion, ...(locale.region ? [] : withoutRegion)])
      if (!found.has(key)) found.set(key, tag);
  }
  return found;
}

/** What a tag means, from the most to the least specific. */
function meanings(locale: Intl.Locale): string[] {
  const { baseName, language, script, region } = locale.maximize();
  return [baseName, `${language}-${script}-${region}`, `${language}-${script}`, language];
}
