import type { SupportedLocale } from '../locales/supported-locale.ts';
import { directionOf } from '../locales/supported-locale.ts';
import type { Selection } from '../selection.ts';
import type { PageTemplate } from './page-template.ts';

/** As much of the host's message catalogs as the page needs. */
export interface Catalogs {
  message(locale: string, key: string, values?: Readonly<Record<string, string>>): string;
  /** The locale whose catalogs serve the given one. */
  nearest(locale: string): string;
}

/** What a user would have to read of a value that was not understood. */
const longestShown = 64;

/** Control characters, and those that turn the direction of what comes after them. */
const unshowable = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A value that leaves the sentence around it alone, whichever way the two run. */
const isolated = (value: string) => `\u2068${value.replace(unshowable, '\ufffd')}\u2069`;

/** The page's texts, in whatever language comes nearest to the locale. */
export class PageTexts {
  readonly #catalogs: Catalogs;
  readonly #versions: { readonly cldr: string; readonly tz: string };

  /** @param versions the release of CLDR that the names are from, and the release of the tz database in force */
  constructor(catalogs: Catalogs, versions: { readonly cldr: string; readonly tz: string }) {
    this.#catalogs = catalogs;
    this.#versions = versions;
  }

  text({ languageTag }: SupportedLocale, key: string): string {
    return this.#catalogs.message(languageTag, key, key === 'tablesFrom' ? this.#versions : {});
  }

  /** A sentence about something that somebody sent, cut when it is long. */
  about({ languageTag }: SupportedLocale, key: string, value: string): string {
    const isLong = value.length > longestShown;
    // Half a surrogate pair at the cut would show as a question mark.
    const shown = isLong ? `${value.slice(0, longestShown).replace(/[\ud800-\udbff]$/, '')}…` : value;
    return this.#catalogs.message(languageTag, key, { value: isolated(shown) });
  }

  /** The attributes of an element whose text is in another language than the page. */
  languageAttributes({ languageTag, language }: SupportedLocale): string {
    const { language: found, script } = new Intl.Locale(this.#catalogs.nearest(languageTag)).maximize();
    return found === language ? '' : ` lang="${found}" dir="${directionOf(script)}"`;
  }
}

/** Says on the page what went wrong with what the user has stored. Mostly there is nothing to say. */
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
