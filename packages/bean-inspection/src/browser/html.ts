import { escapeHtml } from '@jig/http';

/** Markup, as opposed to text that must be escaped. Only `html` makes it. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** What can stand in a template: text is escaped, a list is joined, and what is undefined or false is left out. */
export type Part = Html | string | number | false | undefined | readonly Part[];

/** A tagged template that escapes its parts, for elements and quoted attributes. */
export function html(markup: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = markup[0] ?? '';
  for (let index = 0; index < parts.length; index++) text += write(parts[index]) + markup[index + 1];
  return new Html(text);
}

function write(part: Part): string {
  if (part instanceof Html) return part.toString();
  if (part === undefined || part === false) return '';
  if (typeof part !== 'object') return escapeHtml(String(part));
  let text = '';
  for (const each of part) text += write(each);
  return text;
}

/** Hidden fields of a form. A list repeats its field. */
export const hiddenFields = (fields: Readonly<Record<string, string | number | readonly string[] | undefined>>) =>
  Object.entries(fields).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => html`<input type="hidden" name="${name}" value="${each}">`),
  );
