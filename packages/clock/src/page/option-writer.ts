import type { NameRecipe } from '../names/name-recipe.ts';
import type { Nameable } from '../names/named-lists.ts';
import type { NameTexts } from '../tables/name-texts.ts';
import type { PageTemplate } from './page-template.ts';

/** The options of a select, none of them marked; `marks` are the places where each one's mark would go. */
export interface OptionBlock {
  readonly text: Buffer;
  readonly marks: Uint32Array;
}

const selectedMark = Buffer.from(' selected="selected"');

/** The options with one of them marked. */
export function markOption({ text, marks }: OptionBlock, selected: number): Buffer[] {
  const at = marks[selected] ?? 0;
  return [text.subarray(0, at), selectedMark, text.subarray(at)];
}

// Control characters, which occur in no text, stand in an option where its mark and its name go.
const markSlot = 1;
const nameSlot = 2;
const markText = String.fromCharCode(markSlot);
const nameText = String.fromCharCode(nameSlot);

/** An option as the template makes it, but for its name. */
interface OptionTemplate {
  readonly bytes: Buffer;
  readonly recipe: NameRecipe;
}

/** By byte, what stands for the characters that markup cannot have. */
type Escapes = readonly (Buffer | undefined)[];

/** An option that is not among the others, and is called by its key. */
export interface OwnOption {
  readonly place: number;
  readonly key: string;
}

// Used again and again, since taking new memory costs more than writing into it.
let scratch: Buffer = Buffer.allocUnsafeSlow(256 * 1024);

/**
 * Writes the options of a select in any language. The template makes each option once, but for its name; names are
 * copied in as bytes, so that a page leaves next to nothing behind that would have to be collected.
 */
export class OptionWriter {
  readonly #template: Pick<PageTemplate, 'option'>;
  readonly #nameable: Nameable;
  readonly #escapes: Escapes;
  /** By position; made when they are first needed. */
  #templates: readonly OptionTemplate[] | undefined;

  constructor(template: Pick<PageTemplate, 'option' | 'escape'>, nameable: Nameable) {
    this.#template = template;
    this.#nameable = nameable;
    this.#escapes = Array.from({ length: 256 }, (_, byte) => {
      const text = String.fromCharCode(byte);
      const escaped = byte < 128 ? template.escape(text) : text;
      return escaped === text ? undefined : Buffer.from(escaped);
    });
  }

  /** @param order positions, as they follow each other in the select */
  block(order: Uint16Array, texts: NameTexts, own?: OwnOption): OptionBlock {
    const options = this.#inOrder(order);
    if (own !== undefined) options.splice(own.place, 0, { bytes: this.#render(own.key, own.key), recipe: [] });
    const marks = new Uint32Array(options.length);
    let length = writeOptions(scratch, marks, options, texts, this.#escapes);
    if (length > scratch.length) {
      scratch = Buffer.allocUnsafeSlow(length);
      length = writeOptions(scratch, marks, options, texts, this.#escapes);
    }
    const text = Buffer.allocUnsafeSlow(length);
    scratch.copy(text, 0, 0, length);
    return { text, marks };
  }

  #inOrder(order: Uint16Array): OptionTemplate[] {
    this.#templates ??= this.#makeTemplates();
    const options: OptionTemplate[] = [];
    for (const position of order) options.push(this.#templates[position] as OptionTemplate);
    return options;
  }

  #makeTemplates(): OptionTemplate[] {
    const { keys, recipes } = this.#nameable;
    return keys.map((key, position) => ({ bytes: this.#render(key, nameText), recipe: recipes[position] ?? [] }));
  }

  #render(key: string, name: string): Buffer {
    return Buffer.from(this.#template.option({ key, name, selected: markText }));
  }
}

/**
 * Writes options one after the other, each with its name, and notes where each one's mark would go.
 * @returns how many bytes they take; when that is more than there is room for, the rest was not written
 */
function writeOptions(
  into: Buffer,
  marks: Uint32Array,
  options: readonly OptionTemplate[],
  texts: NameTexts,
  escapes: Escapes,
): number {
  let length = 0;
  let place = 0;
  for (const { bytes, recipe } of options) {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (byte > nameSlot) into[length++] = byte;
      else if (byte === nameSlot) length = writeName(into, length, recipe, texts, escapes);
      else marks[place] = length;
    }
    place++;
  }
  return length;
}

function writeName(
  into: Buffer,
  start: number,
  recipe: NameRecipe,
  { bytes, starts }: NameTexts,
  escapes: Escapes,
): number {
  let length = start;
  for (const line of recipe) {
    const end = (starts[line + 1] ?? 1) - 1;
    for (let at = starts[line] ?? 0; at < end; at++) {
      const byte = bytes[at] as number;
      const escaped = escapes[byte];
      if (escaped === undefined) into[length++] = byte;
      else for (const one of escaped) into[length++] = one;
    }
  }
  return length;
}
