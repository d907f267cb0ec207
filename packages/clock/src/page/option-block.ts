import type { PageTemplate } from './page-template.ts';

/** The options of a select, none of them marked; `marks` are the places where each one's mark would go. */
export interface OptionBlock {
  readonly text: Buffer;
  readonly marks: Uint32Array;
}

export interface OptionEntry {
  readonly key: string;
  readonly name: string;
}

// A control character, which occurs in no text, stands where the mark would go.
const marker = 1;
const markerText = String.fromCharCode(marker);
/** So many options are rendered at once: few enough to leave little behind, enough to be fast. */
const batchSize = 64;

// Used again and again, since taking new memory costs more than writing into it.
let rendered: Buffer = Buffer.allocUnsafeSlow(64 * 1024);
let joined: Buffer = Buffer.allocUnsafeSlow(256 * 1024);

/** @param entryAt makes the entry at a place: a list of all would be kept in memory while the options are made */
export function optionBlock(
  template: PageTemplate,
  count: number,
  entryAt: (place: number) => OptionEntry,
): OptionBlock {
  const marks = new Uint32Array(count);
  let option = 0;
  let length = 0;
  for (let first = 0; first < count; first += batchSize) {
    const bytes = render(template, first, Math.min(first + batchSize, count), entryAt);
    joined = withRoom(joined, length, bytes.length);
    let from = 0;
    for (let at = bytes.indexOf(marker); at !== -1; at = bytes.indexOf(marker, from)) {
      length += bytes.copy(joined, length, from, at);
      marks[option++] = length;
      from = at + 1;
    }
    length += bytes.copy(joined, length, from);
  }
  const text = Buffer.allocUnsafeSlow(length);
  joined.copy(text, 0, 0, length);
  return { text, marks };
}

function render(template: PageTemplate, first: number, end: number, entryAt: (place: number) => OptionEntry): Buffer {
  let text = '';
  for (let place = first; place < end; place++) {
    const { key, name } = entryAt(place);
    text += template.option({ key, name, selected: markerText });
  }
  rendered = withRoom(rendered, 0, text.length * 3);
  return rendered.subarray(0, rendered.write(text));
}

function withRoom(buffer: Buffer, used: number, needed: number): Buffer {
  if (used + needed <= buffer.length) return buffer;
  const larger = Buffer.allocUnsafeSlow((used + needed) * 2);
  buffer.copy(larger, 0, 0, used);
  return larger;
}
