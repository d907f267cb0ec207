import type { Zone } from '../zones/zone.ts';
import { assemble, type Selected } from './assemble.ts';
import { BrotliFrame, knownEnd } from './brotli-frame.ts';
import { GzipFrame } from './gzip-frame.ts';
import { type HoleTexts, noTexts, type PagePiece } from './page-cut.ts';

/** The page of one locale, ready but for what depends on the zone and the moment. */
export class PageFrame {
  readonly #pieces: readonly PagePiece[];
  readonly #selectedLocale: number;
  readonly #zonePlace: (zone: Zone) => number;
  #gzip: Promise<GzipFrame> | undefined;

  /** @param zonePlace which option is that of a zone */
  constructor(pieces: readonly PagePiece[], selectedLocale: number, zonePlace: (zone: Zone) => number) {
    this.#pieces = pieces;
    this.#selectedLocale = selectedLocale;
    this.#zonePlace = zonePlace;
  }

  identity(texts: HoleTexts, zone: Zone): Buffer[] {
    return assemble(this.#pieces, texts, this.#selected(zone));
  }

  async gzip(texts: HoleTexts, zone: Zone): Promise<Buffer[]> {
    this.#gzip ??= GzipFrame.of(this.#pieces);
    return (await this.#gzip).fill(texts, this.#selected(zone));
  }

  /** @param gapLength as much as any moment's text will need */
  brotli(zone: Zone, gapLength: number): Promise<BrotliFrame> {
    const selected = this.#selected(zone);
    const before = Buffer.concat(assemble(this.#pieces.slice(0, this.#firstHole), noTexts, selected));
    const after = Buffer.concat(assemble(this.#pieces.slice(this.#lastHole + 1), noTexts, selected));
    return BrotliFrame.of(before, gapLength, after.subarray(0, knownEnd), after.subarray(knownEnd));
  }

  /** What fills the gap of a Brotli frame: everything from the first hole to the last, and the end that is known. */
  brotliGap(texts: HoleTexts): Buffer {
    const gap = assemble(this.#pieces.slice(this.#firstHole, this.#lastHole + 1), texts, { locales: 0, zones: 0 });
    const next = this.#pieces[this.#lastHole + 1];
    const end = next?.kind === 'fixed' ? next.text.subarray(0, knownEnd) : Buffer.alloc(0);
    return Buffer.concat([...gap, end]);
  }

  get #firstHole(): number {
    return this.#pieces.findIndex(({ kind }) => kind === 'hole');
  }

  get #lastHole(): number {
    return this.#pieces.findLastIndex(({ kind }) => kind === 'hole');
  }

  #selected(zone: Zone): Selected {
    return { locales: this.#selectedLocale, zones: this.#zonePlace(zone) };
  }
}
