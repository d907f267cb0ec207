import { reasonOf } from '../errors.ts';
import type { Catalog, CatalogSet } from './catalog-set.ts';
import { argumentNames } from './message-format.ts';

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
      return [reasonOf(thrown)];
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
      return [{ key, problem: `has no ICU message under the key ${JSON.stringify(key)}: ${reasonOf(thrown)}` }];
    }
  });
}
