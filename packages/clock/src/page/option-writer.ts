import type { Nameable } from '../names/named-lists.ts';
import type { NameTexts } from '../tables/name-texts.ts';
import type { OptionBlock } from './option-block.ts';
import type { PageTemplate } from './page-template.ts';
import { type Escapes, markHole, nameHole, type OptionShell, writeOptions } from './write-options.ts';

/** An option that is not among the others, and is called by its key. */
export interface OwnOption {
  readonly place: number;
  readonly key: string;
}

const markText = String.fromCharCode(markHole);
const nameText = String.fromCharCode(nameHole);

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
  #shells: readonly OptionShell[] | undefined;

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

  #inOrder(order: Uint16Array): OptionShell[] {
    this.#shells ??= this.#makeShells();
    const options: OptionShell[] = [];
    for (const position of order) options.push(this.#shells[position] as OptionShell);
    return options;
  }

  #makeShells(): OptionShell[] {
    const { keys, recipes } = this.#nameable;
    return keys.map((key, position) => ({ bytes: this.#render(key, nameText), recipe: recipes[position] ?? [] }));
  }

  #render(key: string, name: string): Buffer {
    return Buffer.from(this.#template.option({ key, name, selected: markText }));
  }
}
