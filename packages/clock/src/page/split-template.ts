import type { OptionBlock } from './option-writer.ts';
import type { LocaleView, PageTemplate } from './page-template.ts';

/** The values that depend on the time and the zone. */
export const slots = [
  'alerts',
  'now',
  'offset',
  'until',
  'isZoneChosen',
  'time',
  'date',
  'format',
  'link',
  'zoneName',
  'difference',
] as const;
export type Slot = (typeof slots)[number];
export type SlotTexts = Readonly<Record<Slot, string>>;

/** A part of the page with slots, and the short texts after them. */
export class DynamicText {
  readonly #slots: { readonly slot: Slot; readonly after: string }[] = [];

  add(slot: Slot, after: string): void {
    this.#slots.push({ slot, after });
  }

  fill(texts: SlotTexts): string {
    let filled = '';
    for (const { slot, after } of this.#slots) filled += texts[slot] + after;
    return filled;
  }
}

export type OptionList = 'locales' | 'zones';
export type OptionBlocks = Readonly<Record<OptionList, OptionBlock>>;
/** The index of the selected option of each list. */
export type SelectedOptions = Readonly<Record<OptionList, number>>;

/** A piece of the page, in the order of the page. */
export type PagePiece =
  | { readonly kind: 'fixed'; readonly text: Buffer }
  | { readonly kind: 'dynamic'; readonly text: DynamicText }
  | { readonly kind: 'options'; readonly list: OptionList; readonly options: OptionBlock };

// The slots in the rendered page are control characters, which occur in no text.
const marked = [...slots, 'locales', 'zones'] as const;
type Marked = (typeof marked)[number];
// U+000A and U+000D stand in every template, U+0009 may.
const marker = (what: Marked): string => String.fromCharCode(14 + marked.indexOf(what));
const markers = new RegExp(`([${marked.map(marker).join('')}])`);

/** Renders the template once for a locale and splits it at the slots, so that the template is the only source of the markup. */
export function splitTemplate(
  template: Pick<PageTemplate, 'page'>,
  view: LocaleView,
  blocks: OptionBlocks,
): PagePiece[] {
  // Listed one by one: V8 creates a hidden class for each spread object, 3 KB that stay until a major collection.
  const { locale, text, textLanguage, assets, script } = view;
  const rendered = template.page({
    locale,
    text,
    textLanguage,
    assets,
    script,
    period: { offset: marker('offset'), until: marker('until') },
    timestamp: { getTime: () => marker('now') },
    date: { format: () => marker('date') },
    time: { format: () => marker('time') },
    localeOptions: marker('locales'),
    zoneOptions: marker('zones'),
    alerts: marker('alerts'),
    isZoneChosen: marker('isZoneChosen'),
    format: marker('format'),
    link: marker('link'),
    zoneName: marker('zoneName'),
    difference: marker('difference'),
  });
  const [first = '', ...rest] = rendered.split(markers);
  const pieces: PagePiece[] = [];
  addFixed(pieces, first);
  for (let index = 0; index < rest.length; index += 2) {
    const what = marked[(rest[index] ?? '').charCodeAt(0) - 14];
    const after = rest[index + 1] ?? '';
    if (what === 'locales' || what === 'zones') {
      pieces.push({ kind: 'options', list: what, options: blocks[what] });
      addFixed(pieces, after);
    } else if (what !== undefined) {
      const isShort = after.length <= maxDynamicLength;
      openDynamic(pieces).add(what, isShort ? after : '');
      if (!isShort) addFixed(pieces, after);
    }
  }
  return pieces;
}

/** Longer texts are kept as buffers, so that they are not copied for every page. */
const maxDynamicLength = 256;

function addFixed(pieces: PagePiece[], text: string): void {
  if (text !== '') pieces.push({ kind: 'fixed', text: Buffer.from(text) });
}

/** Neighbouring slots are filled together, because a page is sent faster in fewer parts. */
function openDynamic(pieces: PagePiece[]): DynamicText {
  const last = pieces.at(-1);
  if (last?.kind === 'dynamic') return last.text;
  const text = new DynamicText();
  pieces.push({ kind: 'dynamic', text });
  return text;
}
