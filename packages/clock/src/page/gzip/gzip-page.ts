import { BoundedCache } from '@jig/application/internal';
import { markOption, type OptionBlock } from '../option-writer.ts';
import type { DynamicText, OptionList, PagePiece, SelectedOptions, SlotTexts } from '../split-template.ts';
import { type DeflatedText, deflateShortText, deflateText, GzipMember } from './gzip-member.ts';

type GzipPiece =
  | { readonly deflated: DeflatedText }
  | { readonly stored: string }
  | { readonly dynamic: DynamicText }
  | { readonly list: OptionList; readonly options: DeflatedOptions };

/** Shorter texts do not get smaller when they are deflated alone. */
const minDeflatedLength = 200;

/** Pages of different locales share identical options, and their deflated form. */
const deflatedOptions = new WeakMap<OptionBlock, Promise<DeflatedOptions>>();

/** A locale's page, deflated except for what depends on the zone and the time. */
export class GzipPage {
  readonly #pieces: readonly GzipPiece[];

  static async of(pieces: readonly PagePiece[]): Promise<GzipPage> {
    return new GzipPage(await Promise.all(pieces.map(gzipPiece)));
  }

  private constructor(pieces: readonly GzipPiece[]) {
    this.#pieces = pieces;
  }

  fill(texts: SlotTexts, selected: SelectedOptions): Buffer[] {
    const member = new GzipMember();
    let text = '';
    const storeText = () => {
      if (text !== '') member.store(Buffer.from(text));
      text = '';
    };
    for (const piece of this.#pieces) {
      if ('dynamic' in piece) text += piece.dynamic.fill(texts);
      else if ('stored' in piece) text += piece.stored;
      else {
        storeText();
        if ('list' in piece) piece.options.appendTo(member, selected[piece.list]);
        else member.append(piece.deflated);
      }
    }
    storeText();
    return member.end();
  }
}

async function gzipPiece(piece: PagePiece): Promise<GzipPiece> {
  if (piece.kind === 'dynamic') return { dynamic: piece.text };
  if (piece.kind === 'options') return { list: piece.list, options: await deflateOptions(piece.options) };
  if (piece.text.length < minDeflatedLength) return { stored: piece.text.toString() };
  return { deflated: await deflateText(piece.text) };
}

function deflateOptions(options: OptionBlock): Promise<DeflatedOptions> {
  const known = deflatedOptions.get(options);
  if (known !== undefined) return known;
  const deflated = DeflatedOptions.of(options);
  deflatedOptions.set(options, deflated);
  deflated.catch(() => deflatedOptions.delete(options));
  return deflated;
}

const chunkCount = 12;

/** The recently used chunks with a selected option. */
const marked = new BoundedCache<DeflatedText>(6 * 1024 * 1024);
/** What an entry takes in addition to its bytes. */
const bytesPerEntry = 300;
let made = 0;

/**
 * Options deflated in chunks. Only the chunk of the selected option has to be deflated again, which takes some 50 µs;
 * recently used ones are cached.
 */
class DeflatedOptions {
  readonly #name = `${made++}`;
  readonly #chunks: readonly OptionBlock[];
  readonly #deflated: readonly DeflatedText[];

  static async of(options: OptionBlock): Promise<DeflatedOptions> {
    const chunks = chunksOf(options);
    return new DeflatedOptions(chunks, await Promise.all(chunks.map(({ text }) => deflateText(text))));
  }

  private constructor(chunks: readonly OptionBlock[], deflated: readonly DeflatedText[]) {
    this.#chunks = chunks;
    this.#deflated = deflated;
  }

  appendTo(member: GzipMember, selected: number): void {
    let first = 0;
    for (const [index, chunk] of this.#chunks.entries()) {
      const isHere = selected >= first && selected < first + chunk.marks.length;
      const text = isHere ? this.#markedChunk(chunk, selected, first) : this.#deflated[index];
      if (text) member.append(text);
      first += chunk.marks.length;
    }
  }

  #markedChunk(chunk: OptionBlock, selected: number, first: number): DeflatedText {
    const key = `${this.#name} ${selected}`;
    const known = marked.get(key);
    if (known) return known;
    const text = deflateShortText(Buffer.concat(markOption(chunk, selected - first)));
    marked.set(key, text, text.bytes.length + bytesPerEntry);
    return text;
  }
}

/** Splits right before marks, so that each chunk except the first begins with one. */
function chunksOf({ text, marks }: OptionBlock): OptionBlock[] {
  const size = Math.ceil(marks.length / chunkCount);
  const chunks: OptionBlock[] = [];
  for (let first = 0; first < marks.length; first += size) {
    const start = first === 0 ? 0 : (marks[first] ?? 0);
    const end = marks[first + size] ?? text.length;
    chunks.push({ text: text.subarray(start, end), marks: marks.slice(first, first + size).map((at) => at - start) });
  }
  return chunks;
}
