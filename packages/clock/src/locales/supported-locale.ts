/** The tag of a supported locale, as CLDR spells it, never as a client sent it. */
export type LanguageTag = string & { readonly __brand: 'LanguageTag' };

/** A locale that the page can be shown in. */
export class SupportedLocale {
  readonly languageTag: LanguageTag;
  readonly language: string;
  /** Script and region are those that the tag implies when it does not name them. */
  readonly script: string | undefined;
  readonly region: string | undefined;
  readonly direction: Direction;

  constructor(languageTag: string) {
    const { language, script, region } = new Intl.Locale(languageTag).maximize();
    this.languageTag = languageTag as LanguageTag;
    this.language = language;
    this.script = script;
    this.region = region;
    this.direction = directionOf(script);
  }

  toString(): string {
    return this.languageTag;
  }
}

type Direction = 'ltr' | 'rtl';

/** The scripts written from right to left; `Intl.Locale`'s own answer is wrong for some languages written in them. */
const rightToLeft = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Mend', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa', 'Yezi']);

export const directionOf = (script: string | undefined): Direction => (rightToLeft.has(script ?? '') ? 'rtl' : 'ltr');
