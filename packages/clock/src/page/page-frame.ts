import { type Awaitable, whenKnown } from '@jig/application';
import type { Zone } from '../zones/zone.ts';
import { assemble, type Selected } from './assemble.ts';
import { BrotliFrame, knownEnd } from './brotli-frame.ts';
import { GzipFrame } from './gzip-frame.ts';
import type { HoleTexts } from './moment-text.ts';
import type { PagePiece } from './page-cut.ts';

/** The page of one locale, ready but for what depends on the zone and the moment. */
export class PageFrame {
  readonly #pieces: readonly PagePiece[];
  readonly #selectedLocale: number;
  readonly #zonePlace: (zone: Zone) => number;
  #gzip: Awaitable<GzipFrame> | undefined;

  /** @param zonePlace which option is that of a zone */
  constructor(pieces: readonly PagePiece[], selectedLocale: number, zonePlace: (zone: Zone) => number) {
    this.#pieces = pieces;
    this.#selectedLocale = selectedLocale;
    this.#zonePlace = zonePlace;
  }

  identity(texts: HoleTexts, zone: Zone): Buffer[] {
    return assemble(this.#pieces, texts, this.#selected(zone));
  }

  gzip(texts: HoleTexts, zone: Zone): Awaitable<Buffer[]> {
    this.#gzip ??= this.#makeGzip();
    return whenKnown(this.#gzip, (frame) => frame.fill(texts, this.#selected(zone)));
  }

  async #makeGzip(): Promise<GzipFrame> {
    try {
      const made = await GzipFrame.of(this.#pieces);
      this.#gzip = made;
      return made;
    } catch (error) {
      this.#gzip = undefined;
      throw error;
    }
  }

  /** Whether all moments lie together, as those of the template that comes along do: then Brotli can be made around them. */
  get hasGap(): boolean {
    const { moments } = this.#aroundMoments;
    return moments.length > 0 && moments.every(({ kind }) => kind !== 'options');
  }

  /** @param gapLength as much as any moment's text will need */
  brotli(zone: Zone, gapLength: number): Promise<BrotliFrame> {
    const selected = this.#selected(zone);
    const joined = (pieces: readonly PagePiece[]) => Buffer.concat(assemble(pieces, noTexts, selected));
    const { before, after } = this.#aroundMoments;
    const rest = joined(after);
    return BrotliFrame.of(joined(before), gapLength, rest.subarray(0, knownEnd), rest.subarray(knownEnd));
  }

  /** What fills the gap of a Brotli frame: all moments, what lies between them, and the start of what follows, which is known. */
  brotliGap(texts: HoleTexts): Buffer {
    const { moments, after } = this.#aroundMoments;
    const [next] = after;
    const end = next === undefined ? [] : [startOf(next)];
    return Buffer.concat([...assemble(moments, texts, { locales: 0, zones: 0 }), ...end]);
  }

  get #aroundMoments() {
    const isMoment = ({ kind }: PagePiece) => kind === 'moment';
    const first = this.#pieces.findIndex(isMoment);
    const end = this.#pieces.findLastIndex(isMoment) + 1;
    return {
      before: this.#pieces.slice(0, first),
      moments: this.#pieces.slice(first, end),
      after: this.#pieces.slice(end),
    };
  }

  #selected(zone: Zone): Selected {
    return { locales: this.#selectedLocale, zones: this.#zonePlace(zone) };
  }
}

const noTexts: HoleTexts = { alerts: '', now: '', offset: '', until: '', isZoneChosen: '', time: '', date: '' };

/** No mark is so near to the start of the options. */
function startOf(piece: PagePiece): Buffer {
  if (piece.kind === 'moment') return Buffer.alloc(0);
  return (piece.kind === 'fixed' ? piece.text : piece.options.text).subarray(0, knownEnd);
}
