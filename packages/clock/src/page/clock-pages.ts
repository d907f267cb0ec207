import type { Awaitable } from '@jig/sessions';
import type { LocaleFormats } from '../formatting/locale-formats.ts';
import type { SupportedLocale } from '../locales/supported-locale.ts';
import type { Names } from '../names.ts';
import type { Selection } from '../selection.ts';
import type { Zone } from '../zones/zone.ts';
import type { ZoneRules } from '../zones/zone-rules.ts';
import type { Zones } from '../zones/zones.ts';
import { type ContentEncoding, type EncodedPage, encodedPage, WholePages } from './encoded-page.ts';
import { FrameCache } from './frame-cache.ts';
import { type CustomOption, OptionWriter } from './option-writer.ts';
import { PageFrame } from './page-frame.ts';
import type { LocaleView, PageAssets, PageTemplate } from './page-template.ts';
import { type PageTexts, pageAlerts } from './page-texts.ts';
import { type OptionBlocks, type SlotTexts, splitTemplate } from './split-template.ts';

export interface ClockPagesParts {
  readonly template: PageTemplate;
  readonly names: Names;
  readonly zones: Zones;
  readonly formats: LocaleFormats;
  readonly rules: ZoneRules;
  readonly texts: PageTexts;
  readonly assets: PageAssets;
  readonly script: string;
  /** The size of the cache of frames in bytes. */
  readonly bound: number;
}

/** Makes the page for a locale, a zone and a second from pieces that are made once. */
export class ClockPages {
  readonly #parts: ClockPagesParts;
  readonly #frames: FrameCache;
  readonly #localeOptions: OptionWriter;
  readonly #zoneOptions: OptionWriter;
  readonly #whole = new WholePages();

  constructor(parts: ClockPagesParts) {
    this.#parts = parts;
    this.#frames = new FrameCache(parts.bound);
    this.#localeOptions = new OptionWriter(parts.template, parts.names.locales);
    this.#zoneOptions = new OptionWriter(parts.template, parts.names.zones);
  }

  get frames(): { readonly count: number; readonly bytes: number } {
    return { count: this.#frames.size, bytes: this.#frames.bytes };
  }

  get wholePages(): { readonly count: number; readonly bytes: number } {
    return { count: this.#whole.size, bytes: this.#whole.bytes };
  }

  get formatters(): number {
    return this.#parts.formats.size;
  }

  /** A page depends on the selection and on the second. A cached one is returned without a promise. */
  page(selection: Selection, encoding: ContentEncoding, instant: number): Awaitable<EncodedPage> {
    const { locale, zone, isZoneChosen } = selection;
    const alerts = pageAlerts(selection, this.#parts.template, this.#parts.texts);
    if (alerts !== '') return this.#make(selection, encoding, instant, alerts);
    const key = `${locale.languageTag} ${zone.id} ${isZoneChosen} ${encoding}`;
    const second = Math.floor(instant / 1000);
    return this.#whole.get(key, second) ?? this.#makeAndKeep(selection, encoding, instant, key);
  }

  async #makeAndKeep(
    selection: Selection,
    encoding: ContentEncoding,
    instant: number,
    key: string,
  ): Promise<EncodedPage> {
    const page = await this.#make(selection, encoding, instant, '');
    return this.#whole.keep(key, Math.floor(instant / 1000), page);
  }

  async #make(selection: Selection, encoding: ContentEncoding, instant: number, alerts: string): Promise<EncodedPage> {
    const { locale, zone } = selection;
    const frame = await this.#frame(locale, zone);
    const texts = this.#slotTexts(selection, instant, alerts);
    const parts = encoding === 'identity' ? frame.identity(texts, zone) : await frame.gzip(texts, zone);
    return encodedPage(parts, encoding);
  }

  #frame(locale: SupportedLocale, zone: Zone): Awaitable<PageFrame> {
    // A custom zone is one more option, so that it needs a separate frame.
    const isSupported = this.#parts.zones.position(zone) !== undefined;
    const key = isSupported ? locale.languageTag : `${locale.languageTag} ${zone.id}`;
    return this.#frames.get(key) ?? this.#makeFrame(key, locale, zone, isSupported);
  }

  async #makeFrame(key: string, locale: SupportedLocale, zone: Zone, isSupported: boolean): Promise<PageFrame> {
    const { names, template, zones } = this.#parts;
    const listKey = names.listKey(locale) + (isSupported ? '' : ` ${zone.id}`);
    const indexes = await names.listIndexes(locale);
    const custom = isSupported ? undefined : { index: await names.customZoneIndex(locale, zone), key: zone.id };
    const blocks = this.#frames.options(listKey) ?? (await this.#optionBlocks(locale, custom));
    const zoneIndex = (one: Zone) => custom?.index ?? indexes.zones[zones.position(one) ?? 0] ?? 0;
    const pieces = splitTemplate(template, this.#view(locale), blocks);
    return this.#frames.add(key, new PageFrame(pieces, indexes.locale, zoneIndex), listKey, blocks);
  }

  async #optionBlocks(locale: SupportedLocale, customZone: CustomOption | undefined): Promise<OptionBlocks> {
    const { texts, localeOrder, zoneOrder } = await this.#parts.names.localeLists(locale);
    return {
      locales: this.#localeOptions.block(localeOrder, texts),
      zones: this.#zoneOptions.block(zoneOrder, texts, customZone),
    };
  }

  #view(locale: SupportedLocale): LocaleView {
    const { assets, script, texts } = this.#parts;
    return {
      locale,
      text: (key) => texts.text(locale, key),
      textLanguage: texts.languageAttributes(locale),
      assets,
      script,
    };
  }

  #slotTexts({ locale, zone, isZoneChosen }: Selection, instant: number, alerts: string): SlotTexts {
    const { formats, rules, template } = this.#parts;
    const { offset, until } = rules.periodAt(zone, instant);
    return {
      alerts,
      now: `${Math.floor(instant / 1000) * 1000}`,
      offset: `${offset}`,
      until: `${until}`,
      isZoneChosen: `${isZoneChosen}`,
      time: template.escape(formats.time(locale, zone, instant)),
      date: template.escape(formats.date(locale, zone, instant)),
    };
  }
}
