import { BoundedCache } from '../bounded-cache.ts';
import { errorMessage, hostError } from '../errors.ts';
import { type CatalogObject, CatalogSet, catalogDifferences } from './catalog-set.ts';
import { localeChain, maxTagLength } from './locale-chain.ts';
import { type MessageArguments, MessageFormatter } from './message-format.ts';

/** The catalogs of one part, as the bean `messages` shows them. */
export interface ContributedCatalogs {
  readonly owner: string;
  readonly keys: readonly string[];
  readonly locales: readonly string[];
  /** The locales whose catalogs are in memory, since they were used. */
  readonly loaded: readonly string[];
}

// CLDR has about 1,150 locales.
const maxChains = 2000;

/** The messages of the application in all its languages. */
export class Messages {
  /** The locale that every set of catalogs has, whose texts are used where a language has none. */
  readonly fallback: string;
  readonly #sets: CatalogSet[] = [];
  readonly #setByKey = new Map<string, CatalogSet>();
  readonly #formatter = new MessageFormatter();
  readonly #chains = new BoundedCache<readonly string[]>(maxChains);
  readonly #problems = new Set<string>();

  constructor(fallback = 'en') {
    this.fallback = fallback;
  }

  /** Adds a folder of `<language tag>.json` files. Only the catalog of the fallback is read now, for its keys. */
  add(owner: string, catalogs: URL | CatalogObject): void {
    const set = catalogs instanceof URL ? CatalogSet.ofFolder(owner, catalogs) : CatalogSet.ofObject(owner, catalogs);
    const keys = [...set.catalog(this.fallback).keys()];
    for (const key of keys) {
      const other = this.#setByKey.get(key);
      if (other === undefined) continue;
      throw set.invalid(this.fallback, `has the key ${JSON.stringify(key)}, which ${other.owner} has already`, { key });
    }
    for (const key of keys) this.#setByKey.set(key, set);
    this.#sets.push(set);
  }

  /** The message in the language nearest to the locale. It is text: escape it in HTML. */
  message(locale: string, key: string, values: MessageArguments = {}): string {
    const set = this.#setByKey.get(key);
    if (set === undefined) {
      const sentence = `No catalog has a message ${JSON.stringify(key)}; add it to every catalog, or correct the key.`;
      throw hostError('JIG_MESSAGE_UNKNOWN', sentence, { fields: { key } });
    }
    for (const candidate of this.#chain(locale)) {
      if (candidate === this.fallback || !set.locales.has(candidate)) continue;
      try {
        const text = set.catalog(candidate).get(key);
        if (text !== undefined) return this.#formatter.format(formattingLocale(locale, candidate), text, values);
      } catch (thrown) {
        // A broken translation must not break a page: the next language is used, and the problem is recorded.
        this.#problems.add(`${candidate}, ${key}: ${errorMessage(thrown)}`);
      }
    }
    return this.#fallbackMessage(set, locale, key, values);
  }

  /** The locale whose messages are used for the given one; for the attribute `lang`. */
  nearest(locale: string): string {
    return (
      this.#chain(locale).find((candidate) => this.#sets.some((set) => set.locales.has(candidate))) ?? this.fallback
    );
  }

  get locales(): string[] {
    return [...new Set(this.#sets.flatMap((set) => [...set.locales]))].sort();
  }

  get catalogs(): ContributedCatalogs[] {
    return this.#sets.map((set) => ({
      owner: set.owner,
      keys: [...set.catalog(this.fallback).keys()],
      locales: [...set.locales],
      loaded: set.loaded,
    }));
  }

  /** Problems found in catalogs while they were used. */
  get problems(): string[] {
    return [...this.#problems];
  }

  /** Reads every catalog and says where one differs from the fallback's in keys or arguments, or is malformed. For tests. */
  differences(): string[] {
    return this.#sets.flatMap((set) => catalogDifferences(set, this.fallback));
  }

  #chain(locale: string): readonly string[] {
    // Cut, so that no text longer than a language tag is cached.
    return this.#chains.getOrCreate(locale.slice(0, maxTagLength + 1), () => localeChain(locale));
  }

  #fallbackMessage(set: CatalogSet, locale: string, key: string, values: MessageArguments): string {
    const text = set.catalog(this.fallback).get(key) ?? '';
    try {
      return this.#formatter.format(formattingLocale(locale, this.fallback), text, values);
    } catch (cause) {
      throw set.invalid(this.fallback, `cannot show ${JSON.stringify(key)}: ${errorMessage(cause)}`, { key, cause });
    }
  }
}

/** The requested region for numbers and dates, but never the plural rules of another language. */
function formattingLocale(asked: string, found: string): string {
  return asked.startsWith(`${found}-`) ? asked : found;
}
