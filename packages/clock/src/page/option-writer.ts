import type { Nameable, NameParts } from '../names.ts';
import type { NameTexts } from '../tables/table-texts.ts';
import type { PageTemplate } from './page-template.ts';

/** The options of a select, none of them selected; `marks` are the offsets at which `selected` would be inserted. */
export interface OptionBlock {
  readonly text: Buffer;
  readonly marks: Uint32Array;
}

const selectedMark = Buffer.from(' selected="selected"');

/** The options with one of them selected. */
export function markOption({ text, marks }: OptionBlock, selected: number): Buffer[] {
  const at = marks[selected] ?? 0;
  return [text.subarray(0, at), selectedMark, text.subarray(at)];
}

// The slots of an option for its mark and its name: control characters, which occur in no text.
const markSlot = 1;
const nameSlot = 2;
const markText = String.fromCharCode(markSlot);
const nameText = String.fromCharCode(nameSlot);

/** A rendered option with slots for its mark and its name. */
interface OptionTemplate {
  readonly bytes: Buffer;
  readonly nameParts: NameParts;
}

/** The escaped form of each byte that must not stand in markup as it is. */
type Escapes = readonly (Buffer | undefined)[];

/** An additional option, whose name is its key. */
export interface CustomOption {
  readonly index: number;
  readonly key: string;
}

// Reused, because allocating costs more than writing.
let scratch: Buffer = Buffer.allocUnsafeSlow(256 * 1024);

/**
 * Writes the options of a select in any language. Each option is rendered once with a slot for its name; names are
 * copied into the slots as bytes, which leaves hardly any garbage.
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

  /** @param order positions in the order of the select */
  block(order: Uint16Array, texts: NameTexts, custom?: CustomOption): OptionBlock {
    const options = this.#inOrder(order);
    if (custom !== undefined)
      options.splice(custom.index, 0, { bytes: this.#render(custom.key, custom.key), nameParts: [] });
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
    const { keys, nameParts } = this.#nameable;
    return keys.map((key, position) => ({ bytes: this.#render(key, nameText), nameParts: nameParts[position] ?? [] }));
  }

  #render(key: string, name: string): Buffer {
    return Buffer.from(this.#template.option({ key, name, selected: markText }));
  }
}

/**
 * Writes the options with their names, and the offset of each mark.
 * @returns the length in bytes; if it exceeds the buffer, the rest was not written
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
  for (const { bytes, nameParts } of options) {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (byte > nameSlot) into[length++] = byte;
      else if (byte === nameSlot) length = writeName(into, length, nameParts, texts, escapes);
      else marks[place] = length;
    }
    place++;
  }
  return length;
}

function writeName(
  into: Buffer,
  start: number,
  nameParts: NameParts,
  { bytes, starts, ends }: NameTexts,
  escapes: Escapes,
): number {
  let length = start;
  for (const line of nameParts) {
    const end = ends[line] ?? 0;
    for (let at = starts[line] ?? 0; at < end; at++) {
      const byte = bytes[at] as number;
      const escaped = escapes[byte];
      if (escaped === undefined) into[length++] = byte;
      else for (const one of escaped) into[length++] = one;
    }
  }
  return length;
}
