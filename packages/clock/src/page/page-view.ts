import type { OfferedLocale } from '../locales/offered-locale.ts';

/** Where the page's stylesheet and scripts lie. */
export interface PageAssets {
  readonly stylesheet: string;
  readonly bootstrap: string;
  readonly jquery: string;
}

/** What depends on nothing but the locale. */
export interface LocaleView {
  readonly locale: OfferedLocale;
  readonly text: (key: string) => string;
  /** Attributes that say in which language texts are, when it is not the page's own. */
  readonly textLanguage: string;
  readonly assets: PageAssets;
  /** The text of the inline script, as its hash in the content security policy has it. */
  readonly script: string;
}

/** What the template sees: the clock's model, and what belongs to the page only. */
export interface PageView extends LocaleView {
  /** How far the zone is ahead of UTC, and until when, in milliseconds. */
  readonly period: { readonly offset: number | string; readonly until: number | string };
  readonly timestamp: { getTime(): number | string };
  readonly date: { format(moment: unknown): string };
  readonly time: { format(moment: unknown): string };
  readonly localeOptions: string;
  readonly zoneOptions: string;
  readonly alerts: string;
  readonly isZoneChosen: boolean | string;
}

export interface OptionView {
  readonly key: string;
  readonly name: string;
  readonly selected: string;
}

export const selectedMark = ' selected="selected"';
