import { clockError } from '../errors.ts';
import { remembered } from '../remembered.ts';
import type { Tables } from '../tables/tables.ts';
import { languageRanges } from './accept-language.ts';
import { LocaleMatch } from './locale-match.ts';
import { OfferedLocale } from './offered-locale.ts';

/** All locales that the page can be shown in. */
export class Locales {
  /** The language tags, sorted by code unit. */
  readonly tags: readonly string[];
  /** What is shown to those who ask for nothing that is offered. */
  readonly default: OfferedLocale;
  readonly #positions: ReadonlyMap<string, number>;
  readonly #match: LocaleMatch;
  readonly #made = new Map<string, OfferedLocale>();

  constructor(tables: Tables, defaultTag: string) {
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
  find(tag: string): OfferedLocale | undefined {
    if (this.#positions.has(tag)) return this.#locale(tag);
    const same = this.#match.same(tag);
    return same === undefined ? undefined : this.#locale(same);
  }

  nearest(tag: string): OfferedLocale | undefined {
    const nearest = this.#match.nearest(tag);
    return nearest === undefined ? undefined : this.#locale(nearest);
  }

  /** The best match of an `Accept-Language` header. */
  accepted(header: string | undefined): OfferedLocale {
    return header === undefined ? this.default : this.#acceptedOrRemembered(header);
  }

  position(locale: OfferedLocale): number {
    return this.#positions.get(locale.languageTag) ?? 0;
  }

  readonly #acceptedOrRemembered = remembered((header) => {
    for (const range of languageRanges(header)) {
      const nearest = this.nearest(range);
      if (nearest) return nearest;
    }
    return this.default;
  });

  #locale(tag: string): OfferedLocale {
    const locale = this.#made.get(tag) ?? new OfferedLocale(tag);
    this.#made.set(tag, locale);
    return locale;
  }
}
