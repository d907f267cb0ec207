import type { PageTemplate } from './page-template.ts';
import type { LocaleView } from './page-view.ts';

/** What is filled in anew for every moment and every zone. */
export const holes = ['alerts', 'now', 'formatAs', 'isZoneChosen', 'time', 'date'] as const;
export type Hole = (typeof holes)[number];
export type HoleTexts = Readonly<Record<Hole, string>>;
export const noTexts: HoleTexts = { alerts: '', now: '', formatAs: '', isZoneChosen: '', time: '', date: '' };

export type OptionList = 'locales' | 'zones';

/** A piece of the page, in the order of the page. */
export type PagePiece =
  | { readonly kind: 'fixed'; readonly text: Buffer }
  | { readonly kind: 'hole'; readonly hole: Hole }
  | { readonly kind: 'options'; readonly list: OptionList; readonly options: OptionBlock };

/** The options of a select, none of them marked; `marks` are the places where each one's mark would go. */
export interface OptionBlock {
  readonly text: Buffer;
  readonly marks: Uint32Array;
}

export type OptionBlocks = Readonly<Record<OptionList, OptionBlock>>;

export interface CutPage {
  readonly pieces: readonly PagePiece[];
  readonly blocks: OptionBlocks;
}

// Control characters, which occur in no text: they stand in the rendered page where something is to be filled in.
const marked = [...holes, 'locales', 'zones'] as const;
type Marked = (typeof marked)[number];
const marker = (what: Marked): string => String.fromCharCode(1 + marked.indexOf(what));

/**
 * Renders the template once for a locale and cuts it where something is to be filled in, so that it stays the only
 * source of the markup.
 * @param known the options, when they were cut before; then the view need have no more than the ends of each list
 */
export function cutPage(template: PageTemplate, view: LocaleView, known?: OptionBlocks): CutPage {
  const rendered = template.page({
    ...view,
    zone: { id: '', formatAs: marker('formatAs') },
    timestamp: { getTime: () => marker('now') },
    date: { format: () => marker('date') },
    time: { format: () => marker('time') },
    alerts: marker('alerts'),
    isZoneChosen: marker('isZoneChosen'),
    selectedLocale: () => marker('locales'),
    selectedZone: () => marker('zones'),
  });
  return cut(encode(rendered), known);
}

let scratch = Buffer.allocUnsafeSlow(256 * 1024);

/** The page in UTF-8, valid until the next one: writing into the same memory takes a third of the time that new memory takes. */
function encode(rendered: string): Buffer {
  const most = rendered.length * 3;
  if (most > scratch.length) scratch = Buffer.allocUnsafeSlow(most);
  return scratch.subarray(0, scratch.write(rendered));
}

/** Everything between the first and the last marker of a list belongs to that list's options. */
function cut(rendered: Buffer, known: OptionBlocks | undefined): CutPage {
  const places = { locales: placesOf('locales', rendered), zones: placesOf('zones', rendered) };
  const blocks = known ?? {
    locales: optionBlock(rendered, places.locales),
    zones: optionBlock(rendered, places.zones),
  };
  const filled: { readonly begin: number; readonly end: number; readonly piece: PagePiece }[] = [];
  for (const hole of holes) {
    for (const at of placesOf(hole, rendered)) filled.push({ begin: at, end: at + 1, piece: { kind: 'hole', hole } });
  }
  for (const list of ['locales', 'zones'] as const) {
    const [begin = 0] = places[list];
    const end = (places[list].at(-1) ?? 0) + 1;
    filled.push({ begin, end, piece: { kind: 'options', list, options: blocks[list] } });
  }
  const pieces: PagePiece[] = [];
  let start = 0;
  for (const { begin, end, piece } of filled.sort((one, other) => one.begin - other.begin)) {
    pieces.push(fixed(rendered, start, begin), piece);
    start = end;
  }
  pieces.push(fixed(rendered, start, rendered.length));
  return { pieces, blocks };
}

const fixed = (rendered: Buffer, start: number, end: number): PagePiece => ({
  kind: 'fixed',
  text: Buffer.from(rendered.subarray(start, end)),
});

function placesOf(what: Marked, rendered: Buffer): number[] {
  const byte = marker(what).charCodeAt(0);
  const places: number[] = [];
  for (let at = rendered.indexOf(byte); at !== -1; at = rendered.indexOf(byte, at + 1)) places.push(at);
  return places;
}

/** From the first mark to the last, with the markers taken out. */
function optionBlock(rendered: Buffer, places: readonly number[]): OptionBlock {
  const [begin = 0] = places;
  const text = Buffer.allocUnsafeSlow((places.at(-1) ?? begin) - begin - (places.length - 1));
  const marks = new Uint32Array(places.length);
  for (let index = 1; index < places.length; index++) {
    const from = (places[index - 1] ?? begin) + 1;
    const mark = marks[index - 1] ?? 0;
    marks[index] = mark + rendered.copy(text, mark, from, places[index]);
  }
  return { text, marks };
}
