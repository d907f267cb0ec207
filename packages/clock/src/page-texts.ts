import { readdirSync, readFileSync } from 'node:fs';
import { directionOf, type SupportedLocale } from './locales.ts';
import { packageFolder } from './package-folder.ts';
import type { Selection } from './selection.ts';

type Catalog = Readonly<Record<string, string>>;

const folder = new URL('messages/', packageFolder);

/** The catalog of Bokmål is `no`. */
const sameAs: Readonly<Record<string, string>> = { nb: 'no' };

/** Unknown values are truncated to this length in alerts. */
const maxShownLength = 64;

/** Control characters, including those that change the text direction. */
const unshowable = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Wraps a value in Unicode isolates, so that its direction does not affect the sentence. */
const isolated = (value: string) => `\u2068${value.replace(unshowable, '\ufffd')}\u2069`;

/** The page's texts, in the language nearest to the locale: one file in `messages/` for each language. */
export class PageTexts {
  readonly #languages = new Set(readdirSync(folder).map((file) => file.replace(/\.json$/, '')));
  readonly #catalogs = new Map<string, Catalog>();
  readonly #versions: () => Readonly<Record<string, string>>;

  /** @param versions the data releases that some texts mention */
  constructor(versions: () => Readonly<Record<string, string>>) {
    this.#versions = versions;
  }

  text(locale: SupportedLocale, key: string, values: Readonly<Record<string, string>> = this.#versions()): string {
    const text = this.#catalog(this.#languageOf(locale))[key] ?? '';
    return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  }

  /** The `lang` and `dir` attributes of texts, if their language is not that of the page. */
  languageAttributes(locale: SupportedLocale): string {
    const { language, script } = new Intl.Locale(this.#languageOf(locale)).maximize();
    return (sameAs[locale.language] ?? locale.language) === language
      ? ''
      : ` lang="${language}" dir="${directionOf(script)}"`;
  }

  /** Sentences about stored values that are unknown or could not be read. */
  alerts({ locale, unknownLocale, unknownZone, isStoreAvailable }: Selection) {
    const alerts = [
      ...(isStoreAvailable ? [] : [this.text(locale, 'storeUnavailable')]),
      ...(unknownLocale === undefined ? [] : [this.#about(locale, 'unknownLocale', unknownLocale)]),
      ...(unknownZone === undefined ? [] : [this.#about(locale, 'unknownZone', unknownZone)]),
    ];
    return { alerts, textLanguage: alerts.length === 0 ? '' : this.languageAttributes(locale) };
  }

  /** A sentence about a value that a client sent, truncated if it is long. */
  #about(locale: SupportedLocale, key: string, value: string): string {
    const isLong = value.length > maxShownLength;
    // Half a surrogate pair at the end would show as a question mark.
    const shown = isLong ? `${value.slice(0, maxShownLength).replace(/[\ud800-\udbff]$/, '')}…` : value;
    return this.text(locale, key, { value: isolated(shown) });
  }

  /** The catalog of the same language, and of the same script where it has several. */
  #languageOf({ language: own, script, region }: SupportedLocale): string {
    const language = sameAs[own] ?? own;
    const isUsualScript = new Intl.Locale(language).maximize().script === script;
    const candidates = [`${language}-${region}`, `${language}-${script}`, ...(isUsualScript ? [language] : [])];
    return candidates.find((each) => this.#languages.has(each)) ?? 'en';
  }

  #catalog(language: string): Catalog {
    const known = this.#catalogs.get(language);
    if (known !== undefined) return known;
    const read = JSON.parse(readFileSync(new URL(`${language}.json`, folder), 'utf8')) as Catalog;
    this.#catalogs.set(language, read);
    return read;
  }
}
