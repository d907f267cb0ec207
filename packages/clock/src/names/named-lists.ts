import type { LanguageTag } from '../locales/offered-locale.ts';
import type { NameTexts } from '../tables/name-texts.ts';
import type { ZoneId } from '../zones/zone.ts';
import type { NameRecipe } from './name-recipe.ts';

export interface NamedLocale {
  readonly languageTag: LanguageTag;
  readonly displayName: string;
}

export interface NamedZone {
  readonly id: ZoneId;
  readonly rawOffset: number;
  readonly daylightSavings: number;
  readonly displayName: string;
}

/** The locales and the zones, named and sorted for one effective locale. */
export interface NamedLists {
  readonly locales: readonly NamedLocale[];
  readonly zones: readonly NamedZone[];
}

/** What can be named, and how it is named in any language, both by position. */
export interface Nameable {
  readonly keys: readonly string[];
  readonly recipes: readonly NameRecipe[];
}

/** What the lists of one effective locale are made of. */
export interface Wording {
  readonly texts: NameTexts;
  /** Positions in sorted order. */
  readonly localeOrder: Uint16Array;
  readonly zoneOrder: Uint16Array;
}
