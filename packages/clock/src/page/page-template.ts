import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Eta, type TemplateFunction } from 'eta';
import type { SupportedLocale } from '../locales/supported-locale.ts';
import { packageFolder } from '../package-folder.ts';

/** Where the page's stylesheet and scripts lie. */
export interface PageAssets {
  readonly stylesheet: string;
  readonly bootstrap: string;
  readonly jquery: string;
}

/** What depends on nothing but the locale. */
export interface LocaleView {
  readonly locale: SupportedLocale;
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

const folder = new URL('templates/clock/', packageFolder);

/** The templates of the clock's page, each read and compiled once. */
export class PageTemplate {
  readonly #eta = new Eta({ views: fileURLToPath(new URL('templates', packageFolder)) });
  readonly #page = this.#compile('time.eta');
  readonly #option = this.#compile('option.eta');
  readonly #alert = this.#compile('alert.eta');

  /** Makes a text fit for markup, as the templates do. */
  escape(text: string): string {
    return this.#eta.config.escapeFunction(text);
  }

  page(view: PageView): string {
    return this.#eta.render(this.#page, view);
  }

  option(option: OptionView): string {
    return this.#eta.render(this.#option, option);
  }

  alert(sentence: string, textLanguage: string): string {
    return this.#eta.render(this.#alert, { sentence, textLanguage });
  }

  /** Given its name only, Eta would look for the file every time. */
  #compile(file: string): TemplateFunction {
    return this.#eta.compile(readFileSync(new URL(file, folder), 'utf8'));
  }
}
