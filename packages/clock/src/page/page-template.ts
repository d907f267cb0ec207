import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Eta, type TemplateFunction } from 'eta';
import { packageFolder } from '../package-folder.ts';
import type { OptionView, PageView } from './page-view.ts';

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
