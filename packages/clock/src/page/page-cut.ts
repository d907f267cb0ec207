import type { OptionBlock } from './option-block.ts';
import type { PageTemplate } from './page-template.ts';
import type { LocaleView } from './page-view.ts';

/** What is filled in anew for every moment and every zone. */
export const holes = ['alerts', 'now', 'formatAs', 'isZoneChosen', 'time', 'date'] as const;
export type Hole = (typeof holes)[number];
export type HoleTexts = Readonly<Record<Hole, string>>;
export const noTexts: HoleTexts = { alerts: '', now: '', formatAs: '', isZoneChosen: '', time: '', date: '' };

export type OptionList = 'locales' | 'zones';
export type OptionBlocks = Readonly<Record<OptionList, OptionBlock>>;

/** A piece of the page, in the order of the page. */
export type PagePiece =
  | { readonly kind: 'fixed'; readonly text: Buffer }
  | { readonly kind: 'hole'; readonly hole: Hole }
  | { readonly kind: 'options'; readonly list: OptionList; readonly options: OptionBlock };

// Control characters, which occur in no text: they stand in the rendered page where something is to be filled in.
const marked = [...holes, 'locales', 'zones'] as const;
type Marked = (typeof marked)[number];
const marker = (what: Marked): string => String.fromCharCode(1 + marked.indexOf(what));
const markers = new RegExp(`([${marked.map(marker).join('')}])`);

/** Renders the template once for a locale and cuts it where something is to be filled in, so that it stays the only source of the markup. */
export function cutPage(template: PageTemplate, view: LocaleView, blocks: OptionBlocks): PagePiece[] {
  const rendered = template.page({
    ...view,
    zone: { formatAs: marker('formatAs') },
    timestamp: { getTime: () => marker('now') },
    date: { format: () => marker('date') },
    time: { format: () => marker('time') },
    localeOptions: marker('locales'),
    zoneOptions: marker('zones'),
    alerts: marker('alerts'),
    isZoneChosen: marker('isZoneChosen'),
  });
  return rendered.split(markers).map((text, index): PagePiece => {
    const what = index % 2 === 0 ? undefined : marked[text.charCodeAt(0) - 1];
    if (what === undefined) return { kind: 'fixed', text: Buffer.from(text) };
    if (what === 'locales' || what === 'zones') return { kind: 'options', list: what, options: blocks[what] };
    return { kind: 'hole', hole: what };
  });
}
