import type { MomentTemplates } from '../tables/moment-table.ts';
import { fillDate, fillTime } from './fill-templates.ts';
import type { MomentWriter } from './moment-writer.ts';

/** Writes what `Intl` would write, by templates, which take a hundredth of the memory; what they cannot write another does. */
export class TemplateWriter implements MomentWriter {
  readonly #templates: MomentTemplates;
  readonly #otherwise: MomentWriter;

  constructor(templates: MomentTemplates, otherwise: MomentWriter) {
    this.#templates = templates;
    this.#otherwise = otherwise;
  }

  time(local: number): string {
    return fillTime(this.#templates, new Date(local)) ?? this.#otherwise.time(local);
  }

  date(local: number): string {
    return fillDate(this.#templates, new Date(local)) ?? this.#otherwise.date(local);
  }
}
