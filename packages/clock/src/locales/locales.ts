import { weightedElements } from '@jig/http';
import { clockError } from '../errors.ts';
import { memoize } from '../memoize.ts';
import type { Tables } from '../tables/tables.ts';
import { LocaleMatch } from './locale-match.ts';
import { type FormatPreferences, parseLocaleTag } from './locale-tag.ts';
import { SupportedLocale } from './supported-locale.ts';

/** A supported locale, and how dates and times are asked for in it. */
export interface RequestedLocale {
  readonly locale: SupportedLocale;
  readonly preferences: FormatPreferences | undefined;
}

/** The calendars that a tag can ask for. */
export const calendars =
  'buddhist chinese coptic dangi ethioaa ethiopic gregory hebrew indian islamic islamic-civil islamic-tbla islamic-umalqura iso8601 japanese persian roc'.split(
    ' ',
  );
const hourCycles = new Set(['h11', 'h12', 'h23', 'h24']);

/** All supported locales. */
export class Locales {
  /** The language tags, sorted by code unit. */
  readonly tags: readonly string[];
  /** For requests that ask for no supported locale. */
  readonly default: SupportedLocale;
  readonly #positions: ReadonlyMap<string, number>;
  readonly #tables: Tables;
  readonly #match: LocaleMatch;
  readonly #made = new Map<string, SupportedLocale>();

  constructor(tables: Tables, defaultTag: string) {
    this.#tables = tables;
    this.tags = tables.tags();
    this.#positions = new Map(this.tags.map((tag, position) => [tag, position]));
    this.#match = new LocaleMatch(this.tags);
    const nearest = this.nearest(defaultTag);
    if (nearest === undefined) {
      const sentence = `There is no locale ${JSON.stringify(defaultTag.slice(0, 64))}, which clock.locale asks for; give a language tag such as de-CH.`;
      throw clockError('JIG_CLOCK_LOCALE_UNKNOWN', sentence, { fields: { locale: defaultTag } });
    }
    this.default = nearest;
  }

  get size(): number {
    return this.tags.length;
  }

  /** The locale of exactly this tag, or of one that means the same. */
  find(tag: string): SupportedLocale | undefined {
    return this.read(tag)?.locale;
  }

  /** The same, with what the tag's Unicode extension asks for. Undefined also if that is not understood. */
  read(tag: string): RequestedLocale | undefined {
    if (this.#positions.has(tag)) return { locale: this.#locale(tag), preferences: undefined };
    const exact = this.#match.exact(tag);
    if (exact !== undefined) return { locale: this.#locale(exact), preferences: undefined };
    const parsed = parseLocaleTag(tag);
    const same = parsed && this.#match.same(parsed.locale);
    if (same === undefined || !this.#canFollow(parsed?.preferences)) return undefined;
    return { locale: this.#locale(same), preferences: parsed?.preferences };
  }

  #canFollow(preferences: FormatPreferences | undefined): boolean {
    if (preferences === undefined) return true;
    const { calendar, numbers, hourCycle } = preferences;
    return (
      (calendar === undefined || calendars.includes(calendar)) &&
      (numbers === undefined || this.#tables.digits(numbers) !== undefined) &&
      (hourCycle === undefined || hourCycles.has(hourCycle))
    );
  }

  nearest(tag: string): SupportedLocale | undefined {
    const nearest = this.#match.nearest(tag);
    return nearest === undefined ? undefined : this.#locale(nearest);
  }

  /** The best match of an `Accept-Language` header. */
  accepted(header: string | undefined): SupportedLocale {
    return header === undefined ? this.default : this.#matchHeader(header);
  }

  position(locale: SupportedLocale): number {
    return this.#positions.get(locale.languageTag) ?? 0;
  }

  readonly #matchHeader = memoize((header) => {
    for (const range of languageRanges(header)) {
      const nearest = this.nearest(range);
      if (nearest) return nearest;
    }
    return this.default;
  });

  #locale(tag: string): SupportedLocale {
    const locale = this.#made.get(tag) ?? new SupportedLocale(tag);
    this.#made.set(tag, locale);
    return locale;
  }
}

/** The ranges of an `Accept-Language` header (RFC 9110, section 12.5.4), best first. */
export function languageRanges(header: string): string[] {
  return weightedElements(header)
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ value }) => value.replace(/-\*$/, '')) // RFC 4647, 3.3.1: `de-*` matches as `de` does.
    .filter((range) => /^[A-Za-z0-9-]{1,64}$/.test(range));
}
