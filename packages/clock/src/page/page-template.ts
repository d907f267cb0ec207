import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Eta, type TemplateFunction } from 'eta';
import type { SupportedLocale } from '../locales/supported-locale.ts';
import { packageFolder } from '../package-folder.ts';

/** The addresses of the page's stylesheet and scripts. */
export interface PageAssets {
  readonly stylesheet: string;
  readonly bootstrap: string;
  readonly jquery: string;
  /** The module that makes the lists searchable, loaded when it is needed, and the data that it searches. */
  readonly search: string;
  readonly searchData: string;
}

/** What depends only on the locale. */
export interface LocaleView {
  readonly locale: SupportedLocale;
  readonly text: (key: string) => string;
  /** Attributes with the language of the texts, if it is not that of the page. */
  readonly textLanguage: string;
  readonly assets: PageAssets;
  /** The inline script, exactly as it is hashed in the content security policy. */
  readonly script: string;
}

/** The data of the template: the clock's model, and what only the page needs. */
export interface PageView extends LocaleView {
  /** The zone's offset from UTC, and until when it holds, in milliseconds. */
  readonly period: { readonly offset: number | string; readonly until: number | string };
  readonly timestamp: { getTime(): number | string };
  readonly date: { format(moment: unknown): string };
  readonly time: { format(moment: unknown): string };
  readonly localeOptions: string;
  readonly zoneOptions: string;
  readonly alerts: string;
  readonly isZoneChosen: boolean | string;
  /** What the script writes the time with, as JSON. */
  readonly format: string;
  /** The address that shows the same choice to others. */
  readonly link: string;
  /** The zone's name as it is called now. */
  readonly zoneName: string;
  /** The difference to the visitor's own zone; empty if there is none. */
  readonly difference: string;
}

export interface OptionView {
  readonly key: string;
  readonly name: string;
  readonly selected: string;
}

const folder = new URL('templates/clock/', packageFolder);

/** The templates of the clock's page, each compiled once. */
export class PageTemplate {
  readonly #eta = new Eta({ views: fileURLToPath(new URL('templates', packageFolder)) });
  readonly #page = this.#compile('time.eta');
  readonly #option = this.#compile('option.eta');
  readonly #alert = this.#compile('alert.eta');

  /** Escapes a text as the templates do. */
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

  /** Compiled here, because Eta looks up a named template at each rendering. */
  #compile(file: string): TemplateFunction {
    return this.#eta.compile(readFileSync(new URL(file, folder), 'utf8'));
  }
}
