import type { Awaitable } from '@jig/sessions';
import { type LocaleFormats, preferencesKey } from '../formatting/locale-formats.ts';
import type { MomentWriter } from '../formatting/moment-writer.ts';
import type { SupportedLocale } from '../locales/supported-locale.ts';
import type { Names } from '../names.ts';
import type { Selection } from '../selection.ts';
import type { NameTexts } from '../tables/table-texts.ts';
import type { Zone } from '../zones/zone.ts';
import type { ZoneRules } from '../zones/zone-rules.ts';
import type { Zones } from '../zones/zones.ts';
import { type ContentEncoding, type EncodedPage, encodedPage, WholePages } from './encoded-page.ts';
import { choiceLink, glance } from './glance.ts';
import { LocalePage } from './locale-page.ts';
import { type CustomOption, OptionWriter } from './option-writer.ts';
import { PageCache } from './page-cache.ts';
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
  /** The size of the cache of pages in bytes. */
  readonly bound: number;
}

/** The time and the date, and the zone's offset with the end of its period, all in milliseconds. */
export interface ClockTexts {
  readonly now: number;
  readonly offset: number;
  readonly until: number;
  readonly time: string;
  readonly date: string;
}

/** The answer of `/clock/time.json`. */
interface ClockAnswer extends ClockTexts {
  readonly languageTag: string;
  readonly zoneID: string;
  readonly isZoneChosen: boolean;
  readonly zoneName: string;
  readonly difference: string;
}

/** Makes the page for a locale, a zone and a second from pieces that are made once. */
export class ClockPages {
  readonly #parts: ClockPagesParts;
  readonly #cache: PageCache;
  readonly #localeOptions: OptionWriter;
  readonly #zoneOptions: OptionWriter;
  readonly #whole = new WholePages();
  readonly #timeFormats = new WeakMap<MomentWriter, string>();

  constructor(parts: ClockPagesParts) {
    this.#parts = parts;
    this.#cache = new PageCache(parts.bound);
    this.#localeOptions = new OptionWriter(parts.template, parts.names.locales);
    this.#zoneOptions = new OptionWriter(parts.template, parts.names.zones);
  }

  get cached(): { readonly count: number; readonly bytes: number } {
    return { count: this.#cache.size, bytes: this.#cache.bytes };
  }

  get wholePages(): { readonly count: number; readonly bytes: number } {
    return { count: this.#whole.size, bytes: this.#whole.bytes };
  }

  get formatters(): number {
    return this.#parts.formats.size;
  }

  /** A page depends on the selection and on the second. A cached one is returned without a promise. */
  page(selection: Selection, encoding: ContentEncoding, instant: number): Awaitable<EncodedPage> {
    const { locale, zone, isZoneChosen, preferences } = selection;
    const alerts = pageAlerts(selection, this.#parts.template, this.#parts.texts);
    if (alerts !== '') return this.#make(selection, encoding, instant, alerts);
    const visitor = selection.browserZone?.id ?? '';
    const key = `${locale.languageTag} ${zone.id} ${isZoneChosen} ${encoding} ${visitor} ${preferencesKey(preferences)}`;
    const second = Math.floor(instant / 1000);
    return this.#whole.get(key, second) ?? this.#makeAndKeep(selection, encoding, instant, key);
  }

  /** What changes while a page is open, with the choice that it is for. */
  async answer(selection: Selection, instant: number): Promise<ClockAnswer> {
    const { locale, zone, isZoneChosen } = selection;
    const { texts } = await this.#parts.names.localeLists(locale);
    return {
      languageTag: locale.languageTag,
      zoneID: zone.id,
      isZoneChosen,
      ...this.texts(selection, instant),
      now: instant,
      ...glance(selection, instant, texts, this.#parts),
    };
  }

  /** The time and the date of an instant. */
  texts({ locale, zone, preferences }: Selection, instant: number): ClockTexts {
    const { formats, rules } = this.#parts;
    const { offset, until } = rules.periodAt(zone, instant);
    return {
      now: Math.floor(instant / 1000) * 1000,
      offset,
      until,
      time: formats.time(locale, zone, instant, preferences),
      date: formats.date(locale, zone, instant, preferences),
    };
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
    const page = await this.#page(locale, zone);
    const texts = this.#slotTexts(selection, instant, alerts, page.names);
    const parts = encoding === 'identity' ? page.identity(texts, zone) : await page.gzip(texts, zone);
    return encodedPage(parts, encoding);
  }

  #page(locale: SupportedLocale, zone: Zone): Awaitable<LocalePage> {
    // A custom zone is one more option, so that it needs a separate page.
    const isSupported = this.#parts.zones.position(zone) !== undefined;
    const key = isSupported ? locale.languageTag : `${locale.languageTag} ${zone.id}`;
    return this.#cache.get(key) ?? this.#makePage(key, locale, zone, isSupported);
  }

  async #makePage(key: string, locale: SupportedLocale, zone: Zone, isSupported: boolean): Promise<LocalePage> {
    const { names, template, zones } = this.#parts;
    const listKey = names.listKey(locale) + (isSupported ? '' : ` ${zone.id}`);
    const indexes = await names.listIndexes(locale);
    const custom = isSupported ? undefined : { index: await names.customZoneIndex(locale, zone), key: zone.id };
    const blocks = this.#cache.options(listKey) ?? (await this.#optionBlocks(locale, custom));
    const zoneIndex = (one: Zone) => custom?.index ?? indexes.zones[zones.position(one) ?? 0] ?? 0;
    const pieces = splitTemplate(template, this.#view(locale), blocks);
    const { texts } = await names.localeLists(locale);
    return this.#cache.add(key, new LocalePage(pieces, indexes.locale, zoneIndex, texts), listKey, blocks);
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

  #slotTexts(selection: Selection, instant: number, alerts: string, texts: NameTexts): SlotTexts {
    const { template } = this.#parts;
    const { now, offset, until, time, date } = this.texts(selection, instant);
    const { zoneName, difference } = glance(selection, instant, texts, this.#parts);
    return {
      alerts,
      now: `${now}`,
      offset: `${offset}`,
      until: `${until}`,
      isZoneChosen: `${selection.isZoneChosen}`,
      time: template.escape(time),
      date: template.escape(date),
      format: this.#timeFormat(selection),
      link: template.escape(choiceLink(selection)),
      zoneName: template.escape(zoneName),
      difference: template.escape(difference),
    };
  }

  /** What the page's script writes the time with, escaped. */
  #timeFormat({ locale, preferences }: Selection): string {
    const writer = this.#parts.formats.writer(locale, preferences);
    const known = this.#timeFormats.get(writer);
    if (known !== undefined) return known;
    const { digits, timeFormat } = writer;
    const { time, am, pm, periods, noon } = timeFormat;
    const parts = time.includes('{B}') ? { time, digits, am, pm, periods, noon } : { time, digits, am, pm };
    const text = this.#parts.template.escape(JSON.stringify(parts));
    this.#timeFormats.set(writer, text);
    return text;
  }
}
