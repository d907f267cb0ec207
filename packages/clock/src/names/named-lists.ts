import type { LanguageTag } from '../locales/offered-locale.ts';
import type { ZoneId } from '../zones/zone.ts';

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

/** A list whose entries are made when they are looked at; an array is one as well. */
export interface LazyList<Entry> {
  readonly length: number;
  at(place: number): Entry | undefined;
}

/** The locales and the zones, named and sorted for one effective locale. */
export interface NamedLists {
  readonly locales: readonly NamedLocale[];
  readonly zones: readonly NamedZone[];
}

export interface LazyLists {
  readonly locales: LazyList<NamedLocale>;
  readonly zones: LazyList<NamedZone>;
}
