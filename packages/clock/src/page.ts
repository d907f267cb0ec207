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
  /** The inline script, exactly as it is hashed in the content security policy. */
  readonly script: string;
}

/** What of a page is the same each second: what comes before the time and the date, and what comes after. */
interface Frame {
  readonly before: FixedText;
  readonly after: FixedText;
}

/** Some 170 KB each. */
const maxFrames = 150;
/** Occurs in no text. */
const marker = '\u0001';

const eta = new Eta();
const templates = new Map<string, TemplateFunction>();

/** Each template is compiled when it is first needed. */
function render(file: 'time.eta' | 'moment.eta', data: object): string {
  const known = templates.get(file);
  const template = known ?? eta.compile(readFileSync(new URL(`templates/clock/${file}`, packageFolder), 'utf8'));
  if (known === undefined) templates.set(file, template);
  return eta.render(template, data);
}

/** Makes the page for a selection and a second. All but the time is made once for each choice, and kept. */
export class ClockPages {
  readonly #parts: ClockPagesParts;
  readonly #frames = new Cache<Promise<Frame>>(maxFrames);

  constructor(parts: ClockPagesParts) {
    this.#parts = parts;
  }

  toJSON() {
    return { pages: this.pages };
  }

  /** How many are kept, without their time. */
  get pages(): number {
    return this.#frames.size;
  }

  /** The page, and the moment that it shows. */
  async page(selection: Selection, encoding: 'gzip' | 'identity') {
    const { zoneName, difference } = glance(selection, Date.now());
    const key = [choiceLink(selection), selection.formatTag, zoneName, difference].join('\n');
    const { before, after } = await this.#frames.get(key, () => this.#frame(selection, zoneName, difference));
    const alerts = this.#parts.texts.alerts(selection);
    // Now, since a new frame takes a while.
    const instant = Date.now();
    const moment = Buffer.from(render('moment.eta', { ...selection, ...clockTexts(selection, instant), ...alerts }));
    const parts = encoding === 'gzip' ? gzipOf(before, moment, after) : [before.text, moment, after.text];
    return { parts, instant };
  }

  /** What changes while a page is open, with the choice that it is for: the answer of `/clock/time.json`. */
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
    return { before: await fixedText(Buffer.from(before)), after: await fixedText(Buffer.from(after)) };
  }
}

/** The address of the page with this choice, to be shared. */
export const choiceLink = ({ formatTag, zone }: Pick<Selection, 'formatTag' | 'zone'>) =>
  `/clock/time?languageTag=${formatTag}&zoneID=${encodeURIComponent(zone.id)}`;
