import { readFileSync } from 'node:fs';
import { Eta, type TemplateFunction } from 'eta';
import type { PageAssets } from './assets.ts';
import { Cache } from './cache.ts';
import { clockTexts, glance } from './formats.ts';
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

/** The page before and after the time and date, and the last page that was made of it: it stays the same for a second. */
class Frame {
  readonly #before: FixedText;
  readonly #after: FixedText;
  #last: { readonly moment: string; readonly encoding: Encoding; readonly body: Buffer } | undefined;

  constructor(before: FixedText, after: FixedText) {
    this.#before = before;
    this.#after = after;
  }

  pageAt(moment: string, encoding: Encoding): Buffer {
    if (this.#last?.moment === moment && this.#last.encoding === encoding) return this.#last.body;
    const text = Buffer.from(moment);
    const isGzip = encoding === 'gzip';
    const body = isGzip
      ? gzipOf(this.#before, text, this.#after)
      : Buffer.concat([this.#before.text, text, this.#after.text]);
    this.#last = { moment, encoding, body };
    return body;
  }
}

/** A frame takes 200 to 350 KB of memory. */
const maxFrames = 150;
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

/** Renders the page. Its frame, all but the time, is rendered once for each choice and cached. */
export class ClockPages {
  readonly #parts: ClockPagesParts;
  readonly #frames = new Cache<Promise<Frame>>(maxFrames);

  constructor(parts: ClockPagesParts) {
    this.#parts = parts;
  }

  toJSON() {
    return { pages: this.pages };
  }

  /** The number of cached frames. */
  get pages(): number {
    return this.#frames.size;
  }

  /** The page, and the time that it shows. */
  async page(selection: Selection, encoding: Encoding) {
    const { zoneName, difference } = glance(selection, Date.now());
    const key = [choiceLink(selection), selection.formatTag, zoneName, difference].join('\n');
    const frame = await this.#frames.get(key, () => this.#frame(selection, zoneName, difference));
    const alerts = this.#parts.texts.alerts(selection);
    // Read last, since a new frame takes a while.
    const instant = Date.now();
    const moment = render('moment.eta', Object.assign({}, selection, clockTexts(selection, instant), alerts));
    return { body: frame.pageAt(moment, encoding), instant };
  }

  /** The response of `/clock/time.json`: the texts that change on an open page, and the choice they belong to. */
  answer(selection: Selection, instant: number) {
    const { locale, zone, isZoneChosen } = selection;
    const choice = { languageTag: locale.languageTag, zoneID: zone.id, isZoneChosen };
    return { ...choice, ...clockTexts(selection, instant), now: instant, ...glance(selection, instant) };
  }

  async #frame(selection: Selection, zoneName: string, difference: string): Promise<Frame> {
    const { names, texts, assets, script } = this.#parts;
    const { locale, zone } = selection;
    const rendered = render('time.eta', {
      locale,
      zone,
      ...(await names.in(locale, zone)),
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
    return new Frame(await fixedText(Buffer.from(before)), await fixedText(Buffer.from(after)));
  }
}

/** A link that shows this choice. */
export const choiceLink = ({ formatTag, zone }: Pick<Selection, 'formatTag' | 'zone'>) =>
  `/clock/time?languageTag=${formatTag}&zoneID=${encodeURIComponent(zone.id)}`;
