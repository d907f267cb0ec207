import { branch, leaf, readLanguage } from './cldr.ts';

/** The subtags that occur in the offered locales, each kind sorted. */
export interface LocaleParts {
  readonly languages: readonly string[];
  readonly scripts: readonly string[];
  readonly regions: readonly string[];
  readonly variants: readonly string[];
}

export function localeParts(tags: readonly string[]): LocaleParts {
  const languages = new Set<string>();
  const scripts = new Set<string>();
  const regions = new Set<string>();
  const variants = new Set<string>();
  for (const tag of tags) {
    const [language = '', ...others] = tag.split('-');
    languages.add(language);
    for (const subtag of others) {
      if (subtag.length === 4) scripts.add(subtag);
      else if (subtag.length > 4) variants.add(subtag);
      else regions.add(subtag);
    }
  }
  const sorted = (subtags: Set<string>) => [...subtags].sort();
  return {
    languages: sorted(languages),
    scripts: sorted(scripts),
    regions: sorted(regions),
    variants: sorted(variants),
  };
}

/**
 * Names the parts in one language after the other: the four texts that stand around and between them in a locale's
 * name, then the names of all parts, in the order of `parts`. What a language has no name for is named in English, except
 * variants, which CLDR shows as they are.
 */
export function localePartNamer(parts: LocaleParts): (source: string) => string[] {
  const english = readPartNames('en');
  return (source) => {
    const own = readPartNames(source);
    const pattern = leaf(own.patterns, 'localePattern') ?? '{0} ({1})';
    const ask = (kind: Exclude<keyof PartNames, 'patterns'>, subtags: readonly string[]) =>
      subtags.map((subtag) => {
        const inEnglish = kind === 'variants' ? undefined : leaf(english[kind], subtag);
        return withBrackets(leaf(own[kind], subtag) ?? inEnglish ?? subtag, pattern);
      });
    return [
      ...aroundPlaceholders(pattern),
      aroundPlaceholders(leaf(own.patterns, 'localeSeparator') ?? '{0}, {1}')[1],
      ...ask('languages', parts.languages),
      ...ask('scripts', parts.scripts),
      ...ask('territories', parts.regions),
      ...ask(
        'variants',
        parts.variants.map((variant) => variant.toUpperCase()),
      ),
    ];
  };
}

/** UTS #35, part 2, "Locale Display Name Algorithm": inside the parentheses of a pattern, those of a name are brackets. */
function withBrackets(name: string, pattern: string): string {
  const [open, close, ...brackets] = pattern.includes('（') ? ['（', '）', '［', '］'] : ['(', ')', '[', ']'];
  return name.replaceAll(open, brackets[0] ?? '').replaceAll(close, brackets[1] ?? '');
}

/** What stands before, between and after `{0}` and `{1}`, which follow each other in all languages. */
function aroundPlaceholders(pattern: string): readonly [string, string, string] {
  const [, before, between, after] = /^(.*)\{0\}(.*)\{1\}(.*)$/.exec(pattern) ?? [];
  if (before === undefined || between === undefined || after === undefined) {
    throw new Error(`The pattern ${pattern} does not have {0} before {1}.`);
  }
  return [before, between, after];
}

type PartNames = ReturnType<typeof readPartNames>;

function readPartNames(source: string) {
  const read = (file: string, key: string) =>
    branch(readLanguage('localenames', source, file, 'localeDisplayNames'), key);
  return {
    patterns: read('localeDisplayNames', 'localeDisplayPattern'),
    languages: read('languages', 'languages'),
    scripts: read('scripts', 'scripts'),
    territories: read('territories', 'territories'),
    variants: read('variants', 'variants'),
  };
}
