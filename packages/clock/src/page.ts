import { readFileSync } from 'node:fs';
import { Eta, type TemplateFunction } from 'eta';
import type { PageAssets } from './assets.ts';
import { Cache } from './cache.ts';
import { clockTexts, zoneTexts } from './formats.ts';
import { type FixedText, fixedText, gzipOf } from './gzip.ts';
import type { Names } from './names.ts';
import { packageFolder } from './package-folder.ts';
import type { PageTexts } from './page-texts.ts';
import type { Selection } from './selection.ts';

interface ClockPagesParts {
  readonly names: Names;
  readonly texts: PageTexts;
  readonly assets: PageAssets;
  /** The inline script, byte by byte as hashed in the content security policy. */
  readonly script: string;
}

type Encoding = 'gzip' | 'identity';

/** The page without the time and date, and the last page that was made of it, which is valid for a second. */
class PageShell {
  readonly #before: FixedText;
  readonly #after: FixedText;
  #last: { readonly momentHtml: string; readonly encoding: Encoding; readonly body: Buffer } | undefined;

  constructor(before: FixedText, after: FixedText) {
    this.#before = before;
    this.#after = after;
  }

  pageAt(momentHtml: string, encoding: Encoding): Buffer {
    if (this.#last?.momentHtml === momentHtml && this.#last.encoding === encoding) return this.#last.body;
    const text = Buffer.from(momentHtml);
    const isGzip = encoding === 'gzip';
    const body = isGzip
      ? gzipOf(this.#before, text, this.#after)
      : Buffer.concat([this.#before.text, text, this.#after.text]);
    this.#last = { momentHtml, encoding, body };
    return body;
  }
}

/** A shell takes 200 to 350 KB of memory. */
const maxShells = 150;
/** Stands for the time and date; occurs in no text. */
const marker = '\u0001';

const eta = new Eta();
const templates = new Map<string, TemplateFunction>();

/** Compiles each template on first use. */
function render(file: 'time.eta' | 'moment.eta', data: object): string {
  const known = templates.get(file);
  const template = known ?? eta.compile(readFileSync(new URL(`templates/clock/${file}`, packageFolder), 'utf8'));
  if (known === undefined) templates.set(file, template);
  return eta.render(template, data);
}

/** Renders the page. Its shell, all but the time and date, is rendered once for each choice and cached. */
export class ClockPages {
  readonly #parts: ClockPagesParts;
  readonly #shells = new Cache<Promise<PageShell>>(maxShells);

  constructor(parts: ClockPagesParts) {
    this.#parts = parts;
  }

  toJSON() {
    return { pages: this.pages };
  }

  /** The number of cached shells. */
  get pages(): number {
    return this.#shells.size;
  }

  /** The page, and the time that it shows. */
  async page(selection: Selection, encoding: Encoding) {
    const { zoneName, difference } = zoneTexts(selection, Date.now());
    const key = [choiceLink(selection), selection.formatTag, zoneName, difference].join('\n');
    const shell = await this.#shells.get(key, () => this.#renderShell(selection, zoneName, difference));
    const alerts = this.#parts.texts.alerts(selection);
    // Read last, since a new shell takes a while.
    const instant = Date.now();
    const momentHtml = render('moment.eta', Object.assign({}, selection, clockTexts(selection, instant), alerts));
    return { body: shell.pageAt(momentHtml, encoding), instant };
  }

  /** The response of `/clock/time.json`: the texts that change on an open page, and the choice they belong to. */
  answer(selection: Selection, instant: number) {
    const { locale, zone, isZoneChosen } = selection;
    const choice = { languageTag: locale.languageTag, zoneID: zone.id, isZoneChosen };
    return { ...choice, ...clockTexts(selection, instant), now: instant, ...zoneTexts(selection, instant) };
  }

  async #renderShell(selection: Selection, zoneName: string, difference: string): Promise<PageShell> {
    const { names, texts, assets, script } = this.#parts;
    const { locale, zone } = selection;
    const rendered = render('time.eta', {
      locale,
      zone,
      ...(await names.listsFor(locale, zone)),
      moment: marker,
      link: choiceLink(selection),
      zoneName,
      difference,
      text: (key: string) => texts.text(locale, key),
      textLanguage: texts.languageAttributes(locale),
      assets,
      script,
    });
    const [before = '', after = ''] = rendered.split(marker);
    return new PageShell(await fixedText(Buffer.from(before)), await fixedText(Buffer.from(after)));
  }
}

/** A link that shows this choice. */
export const choiceLink = ({ formatTag, zone }: Pick<Selection, 'formatTag' | 'zone'>) =>
  `/clock/time?languageTag=${formatTag}&zoneID=${encodeURIComponent(zone.id)}`;
