import type { NameTexts } from '../tables/table-texts.ts';
import type { Zone } from '../zones/zone.ts';
import { GzipPage } from './gzip/gzip-page.ts';
import { markOption } from './option-writer.ts';
import type { PagePiece, SelectedOptions, SlotTexts } from './split-template.ts';

/** The page of one locale, complete except for what depends on the zone and the time. */
export class LocalePage {
  /** The names of its language. */
  readonly names: NameTexts;
  readonly #pieces: readonly PagePiece[];
  readonly #selectedLocale: number;
  readonly #zoneIndex: (zone: Zone) => number;
  #gzip: Promise<GzipPage> | undefined;

  /** @param zoneIndex the index of a zone's option */
  constructor(
    pieces: readonly PagePiece[],
    selectedLocale: number,
    zoneIndex: (zone: Zone) => number,
    names: NameTexts,
  ) {
    this.names = names;
    this.#pieces = pieces;
    this.#selectedLocale = selectedLocale;
    this.#zoneIndex = zoneIndex;
  }

  identity(texts: SlotTexts, zone: Zone): Buffer[] {
    return assemble(this.#pieces, texts, this.#selected(zone));
  }

  async gzip(texts: SlotTexts, zone: Zone): Promise<Buffer[]> {
    this.#gzip ??= this.#makeGzip();
    return (await this.#gzip).fill(texts, this.#selected(zone));
  }

  /** After a failure, the next request tries again. */
  async #makeGzip(): Promise<GzipPage> {
    try {
      return await GzipPage.of(this.#pieces);
    } catch (error) {
      this.#gzip = undefined;
      throw error;
    }
  }

  #selected(zone: Zone): SelectedOptions {
    return { locales: this.#selectedLocale, zones: this.#zoneIndex(zone) };
  }
}

/** Joins the pieces of a page to a list of buffers. Only the texts of the slots are copied. */
function assemble(pieces: readonly PagePiece[], texts: SlotTexts, selected: SelectedOptions): Buffer[] {
  const parts: Buffer[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'fixed') parts.push(piece.text);
    else if (piece.kind === 'options') parts.push(...markOption(piece.options, selected[piece.list]));
    else parts.push(Buffer.from(piece.text.fill(texts)));
  }
  return parts;
}
