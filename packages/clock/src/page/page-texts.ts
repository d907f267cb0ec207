import type { SupportedLocale } from '../locales/supported-locale.ts';
import { directionOf } from '../locales/supported-locale.ts';
import type { Selection } from '../selection.ts';
import type { PageTemplate } from './page-template.ts';

/** What the page needs of the host's message catalogs. */
export interface Catalogs {
  message(locale: string, key: string, values?: Readonly<Record<string, string>>): string;
  /** The locale whose catalogs are used for the given one. */
  nearest(locale: string): string;
}

/** Unknown values are truncated to this length in alerts. */
const maxShownLength = 64;

/** Control characters, including those that change the text direction. */
const unshowable = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A value in Unicode isolates, so that its direction does not affect the sentence around it. */
const isolated = (value: string) => `\u2068${value.replace(unshowable, '\ufffd')}\u2069`;

/** The page's texts, in the language nearest to the locale. */
export class PageTexts {
  readonly #catalogs: Catalogs;
  readonly #versions: { readonly cldr: string; readonly tz: string };

  /** @param versions the CLDR release of the names, and the release of the tz database in use */
  constructor(catalogs: Catalogs, versions: { readonly cldr: string; readonly tz: string }) {
    this.#catalogs = catalogs;
    this.#versions = versions;
  }

  text({ languageTag }: SupportedLocale, key: string): string {
    return this.#catalogs.message(languageTag, key, key === 'tablesFrom' ? this.#versions : {});
  }

  /** A sentence about a value that a client sent, truncated if it is long. */
  about({ languageTag }: SupportedLocale, key: string, value: string): string {
    const isLong = value.length > maxShownLength;
    // Half a surrogate pair at the end would show as a question mark.
    const shown = isLong ? `${value.slice(0, maxShownLength).replace(/[\ud800-\udbff]$/, '')}…` : value;
    return this.#catalogs.message(languageTag, key, { value: isolated(shown) });
  }

  /** The attributes of an element whose text has another language than the page. */
  languageAttributes({ languageTag, language }: SupportedLocale): string {
    const { language: found, script } = new Intl.Locale(this.#catalogs.nearest(languageTag)).maximize();
    return found === language ? '' : ` lang="${found}" dir="${directionOf(script)}"`;
  }
}

/** The alerts about stored values that are unknown or could not be read; usually none. */
export function pageAlerts(selection: Selection, template: PageTemplate, texts: PageTexts): string {
  const { locale, unknownLocale, unknownZone, isStoreAvailable } = selection;
  if (isStoreAvailable && unknownLocale === undefined && unknownZone === undefined) return '';
  const sentences: string[] = [];
  if (!isStoreAvailable) sentences.push(texts.text(locale, 'storeUnavailable'));
  if (unknownLocale !== undefined) sentences.push(texts.about(locale, 'unknownLocale', unknownLocale));
  if (unknownZone !== undefined) sentences.push(texts.about(locale, 'unknownZone', unknownZone));
  const language = texts.languageAttributes(locale);
  return sentences.map((sentence) => template.alert(sentence, language)).join('');
}
