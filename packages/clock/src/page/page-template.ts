import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import { packageFolder } from '../package-folder.ts';
import type { OptionView, PageView } from './page-view.ts';

/** The templates of the clock's page, each read once. */
export class PageTemplate {
  readonly #eta = new Eta({ views: fileURLToPath(new URL('templates', packageFolder)), cache: true });

  /** Makes a text fit for markup, as the templates do. */
  escape(text: string): string {
    return this.#eta.config.escapeFunction(text);
  }

  page(view: PageView): string {
    return this.#eta.render('clock/time', view);
  }

  option(option: OptionView): string {
    return this.#eta.render('clock/option', option);
  }

  alert(sentence: string, textLanguage: string): string {
    return this.#eta.render('clock/alert', { sentence, textLanguage });
  }
}
