import type { HoleTexts } from './moment-text.ts';
import type { OptionBlock } from './option-block.ts';
import type { OptionList, PagePiece } from './page-cut.ts';
import { selectedMark } from './page-view.ts';

/** Which option of each list is marked, by its place in the list. */
export type Selected = Readonly<Record<OptionList, number>>;

const mark = Buffer.from(selectedMark);

/** Puts pieces of a page together, as a list of buffers: nothing is copied but the texts of the holes. */
export function assemble(pieces: readonly PagePiece[], texts: HoleTexts, selected: Selected): Buffer[] {
  const parts: Buffer[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'fixed') parts.push(piece.text);
    else if (piece.kind === 'options') parts.push(...markOption(piece.options, selected[piece.list]));
    else parts.push(Buffer.from(piece.text.fill(texts)));
  }
  return parts;
}

/** The options with one of them marked. */
export function markOption({ text, marks }: OptionBlock, selected: number): Buffer[] {
  const at = marks[selected] ?? 0;
  return [text.subarray(0, at), mark, text.subarray(at)];
}
