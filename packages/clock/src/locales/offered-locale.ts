import { type Direction, directionOf } from './direction.ts';

/** A language tag that is among those offered: as CLDR writes it, never as somebody sent it. */
export type LanguageTag = string & { readonly __brand: 'LanguageTag' };

/** A locale that the page can be shown in. */
export class OfferedLocale {
  readonly languageTag: LanguageTag;
  readonly language: string;
  /** The script and the region that the locale implies where its tag does not say. */
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
