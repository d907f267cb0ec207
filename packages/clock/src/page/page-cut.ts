import { holes, MomentText } from './moment-text.ts';
import type { OptionBlock } from './option-block.ts';
import type { PageTemplate } from './page-template.ts';
import type { LocaleView } from './page-view.ts';

export type OptionList = 'locales' | 'zones';
export type OptionBlocks = Readonly<Record<OptionList, OptionBlock>>;

/** A piece of the page, in the order of the page. */
export type PagePiece =
  | { readonly kind: 'fixed'; readonly text: Buffer }
  | { readonly kind: 'moment'; readonly text: MomentText }
  | { readonly kind: 'options'; readonly list: OptionList; readonly options: OptionBlock };

// Control characters, which occur in no text: they stand in the rendered page where something is to be filled in.
const marked = [...holes, 'locales', 'zones'] as const;
type Marked = (typeof marked)[number];
const marker = (what: Marked): string => String.fromCharCode(1 + marked.indexOf(what));
const markers = new RegExp(`([${marked.map(marker).join('')}])`);

/** Renders the template once for a locale and cuts it where something is to be filled in, so that it stays the only source of the markup. */
export function cutPage(template: Pick<PageTemplate, 'page'>, view: LocaleView, blocks: OptionBlocks): PagePiece[] {
  // Taken over one by one: V8 makes a new shape for each spread view, 3 KB that stay until a large collection.
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
  });
  const [first = '', ...rest] = rendered.split(markers);
  const pieces: PagePiece[] = [];
  addFixed(pieces, first);
  for (let index = 0; index < rest.length; index += 2) {
    const what = marked[(rest[index] ?? '').charCodeAt(0) - 1];
    const after = rest[index + 1] ?? '';
    if (what === 'locales' || what === 'zones') {
      pieces.push({ kind: 'options', list: what, options: blocks[what] });
      addFixed(pieces, after);
    } else if (what !== undefined) {
      const isShort = after.length <= longestInMoment;
      openMoment(pieces).add(what, isShort ? after : '');
      if (!isShort) addFixed(pieces, after);
    }
  }
  return pieces;
}

/** Longer texts are not worth being copied for every page. */
const longestInMoment = 256;

function addFixed(pieces: PagePiece[], text: string): void {
  if (text !== '') pieces.push({ kind: 'fixed', text: Buffer.from(text) });
}

/** Holes that are close to each other are filled together: a page is sent faster in fewer parts. */
function openMoment(pieces: PagePiece[]): MomentText {
  const last = pieces.at(-1);
  if (last?.kind === 'moment') return last.text;
  const text = new MomentText();
  pieces.push({ kind: 'moment', text });
  return text;
}
