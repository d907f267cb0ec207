import { readdirSync, readFileSync } from 'node:fs';
import { errorMessage, hostError, type JigError } from '../errors.ts';
import { canonicalLocale } from './locale-chain.ts';
import { argumentNames } from './message-format.ts';

/** The messages of one locale, by key. */
type Catalog = ReadonlyMap<string, string>;

/** Catalogs written in code: messages by key, by language tag. */
export type CatalogObject = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The catalogs that one part of the application contributes; each is read when it is first needed. */
export class CatalogSet {
  readonly owner: string;
  readonly locales: ReadonlySet<string>;
  readonly #nameOf: (locale: string) => string;
  readonly #read: (locale: string) => unknown;
  readonly #catalogs = new Map<string, Catalog | JigError>();

  private constructor(
    owner: string,
    locales: readonly string[],
    nameOf: (locale: string) => string,
    read: (locale: string) => unknown,
  ) {
    this.owner = owner;
    this.locales = new Set(locales);
    this.#nameOf = nameOf;
    this.#read = read;
    for (const locale of locales) {
      if (canonicalLocale(locale) !== locale)
        throw this.invalid(locale, 'is not named for a language tag, as pt-PT is');
    }
  }

  /** Lists the folder, and reads none of its files yet. */
  static ofFolder(owner: string, folder: URL): CatalogSet {
    const base = new URL(folder.href.endsWith('/') ? folder : `${folder.href}/`);
    const place = `${base.pathname.split('/').at(-2)}/`;
    return new CatalogSet(
      owner,
      catalogLocales(owner, base, place),
      (locale) => `${place}${locale}.json`,
      (locale) => JSON.parse(readFileSync(new URL(`${locale}.json`, base), 'utf8')),
    );
  }

  static ofObject(owner: string, catalogs: CatalogObject): CatalogSet {
    return new CatalogSet(
      owner,
      Object.keys(catalogs),
      (locale) => locale,
      (locale) => catalogs[locale],
    );
  }

  /** The locales whose catalogs have been read. */
  get loaded(): string[] {
    return [...this.#catalogs.keys()];
  }

  /** Throws when the catalog cannot be read or is malformed, each time without reading it again. */
  catalog(locale: string): Catalog {
    const known = this.#catalogs.get(locale) ?? this.#load(locale);
    if (known instanceof Error) throw known;
    return known;
  }

  /** The error that names a catalog of this set, and the key in it where that is known. */
  invalid(locale: string, problem: string, { key, cause }: { key?: string; cause?: unknown } = {}): JigError {
    const sentence = `The message catalog ${this.#nameOf(locale)} of ${this.owner} ${problem}.`;
    return hostError('JIG_MESSAGE_CATALOG_INVALID', sentence, { cause, fields: { owner: this.owner, locale, key } });
  }

  #load(locale: string): Catalog | JigError {
    const outcome = this.#parse(locale);
    this.#catalogs.set(locale, outcome);
    return outcome;
  }

  #parse(locale: string): Catalog | JigError {
    let content: unknown;
    try {
      content = this.#read(locale);
    } catch (cause) {
      return this.invalid(locale, `cannot be read: ${readingProblem(cause)}`, { cause });
    }
    if (typeof content !== 'object' || content === null || Array.isArray(content)) {
      return this.invalid(locale, 'is no object of keys and messages');
    }
    const messages = new Map<string, string>();
    for (const [key, message] of Object.entries(content) as [string, unknown][]) {
      if (typeof message !== 'string') {
        return this.invalid(locale, `has no text under the key ${JSON.stringify(key)}`, { key });
      }
      messages.set(key, message);
    }
    return messages;
  }
}

function catalogLocales(owner: string, folder: URL, place: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -'.json'.length))
      .sort();
  } catch (cause) {
    const sentence = `The folder ${place} of message catalogs of ${owner} cannot be read: ${readingProblem(cause)}.`;
    throw hostError('JIG_MESSAGE_CATALOG_INVALID', sentence, { cause, fields: { owner } });
  }
}

/** The code of a file system error, whose message would show the whole path. */
function readingProblem(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : errorMessage(cause);
}

/** One sentence for each place where a catalog is malformed, or differs from the reference locale's in keys or arguments. */
export function catalogDifferences(set: CatalogSet, reference: string): string[] {
  const expected = set.catalog(reference);
  return [...set.locales].flatMap((locale) => {
    try {
      const catalog = set.catalog(locale);
      return [...keyDifferences(catalog, expected), ...argumentDifferences(catalog, locale, expected, reference)].map(
        ({ key, problem }) => set.invalid(locale, problem, { key }).message,
      );
    } catch (thrown) {
      return [errorMessage(thrown)];
    }
  });
}

interface Difference {
  readonly key: string;
  readonly problem: string;
}

function keyDifferences(catalog: Catalog, expected: Catalog): Difference[] {
  const missing = [...expected.keys()].filter((key) => !catalog.has(key));
  const unexpected = [...catalog.keys()].filter((key) => !expected.has(key));
  return [
    ...missing.map((key) => ({ key, problem: `lacks the key ${JSON.stringify(key)}` })),
    ...unexpected.map((key) => ({ key, problem: `has the key ${JSON.stringify(key)}, which the others lack` })),
  ];
}

function argumentDifferences(catalog: Catalog, locale: string, expected: Catalog, reference: string): Difference[] {
  return [...catalog].flatMap(([key, message]) => {
    try {
      const names = argumentNames(locale, message).join(', ');
      const wanted = argumentNames(reference, expected.get(key) ?? message).join(', ');
      if (names === wanted) return [];
      return [{ key, problem: `has the arguments (${names}) under ${JSON.stringify(key)}, not (${wanted})` }];
    } catch (thrown) {
      return [{ key, problem: `has no ICU message under the key ${JSON.stringify(key)}: ${errorMessage(thrown)}` }];
    }
  });
}
