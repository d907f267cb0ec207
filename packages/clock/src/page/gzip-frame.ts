import type { Selected } from './assemble.ts';
import { DeflatedOptions } from './deflated-options.ts';
import { type DeflatedText, deflateText, GzipMember } from './gzip-member.ts';
import type { HoleTexts, MomentText } from './moment-text.ts';
import type { OptionBlock } from './option-block.ts';
import type { OptionList, PagePiece } from './page-cut.ts';

type GzipPiece =
  | { readonly deflated: DeflatedText }
  | { readonly stored: string }
  | { readonly moment: MomentText }
  | { readonly list: OptionList; readonly options: DeflatedOptions };

/** Shorter texts gain nothing by being deflated alone. */
const worthDeflating = 200;

/** Pages of different locales share the options that read the same, and what they look like deflated. */
const deflatedOptions = new WeakMap<OptionBlock, Promise<DeflatedOptions>>();

/** A locale's page, deflated as far as it depends on neither zone nor moment. */
export class GzipFrame {
  readonly #pieces: readonly GzipPiece[];

  static async of(pieces: readonly PagePiece[]): Promise<GzipFrame> {
    return new GzipFrame(await Promise.all(pieces.map(gzipPiece)));
  }

  private constructor(pieces: readonly GzipPiece[]) {
    this.#pieces = pieces;
  }

  fill(texts: HoleTexts, selected: Selected): Buffer[] {
    const member = new GzipMember();
    let text = '';
    const storeText = () => {
      if (text !== '') member.store(Buffer.from(text));
      text = '';
    };
    for (const piece of this.#pieces) {
      if ('moment' in piece) text += piece.moment.fill(texts);
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
  if (piece.kind === 'moment') return { moment: piece.text };
  if (piece.kind === 'options') return { list: piece.list, options: await deflateOptions(piece.options) };
  if (piece.text.length < worthDeflating) return { stored: piece.text.toString() };
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
