import { parentLocales } from './parent-locales.ts';

// Intl throws errors that repeat the whole tag, so that a huge one must not reach it.
export const maxTagLength = 64;

let parentByLocale: ReadonlyMap<string, string> | undefined;

/** The locale in canonical form without extensions, or undefined when the text is no language tag. */
export function canonicalLocale(tag: string): string | undefined {
  if (tag.length > maxTagLength) return undefined;
  try {
    // V8 counts the extension that it makes of the variant `posix` as part of the base name.
    return new Intl.Locale(tag).baseName.split('-u-', 1)[0];
  } catch {
    return undefined;
  }
}

/**
 * The locale, then its parents up to but without the root (UTS #35, Locale Inheritance): `zh-TW` gives `zh-TW`, `zh-Hant-TW`,
 * `zh-Hant`, and never `zh`, which is in another script. A text that is no language tag has an empty chain.
 */
export function localeChain(tag: string): string[] {
  const chain: string[] = [];
  let locale = canonicalLocale(tag);
  while (locale !== undefined && locale !== 'und') {
    chain.push(locale);
    locale = parentLocale(locale);
  }
  return chain;
}

function parentLocale(tag: string): string | undefined {
  const explicit = explicitParents().get(tag);
  if (explicit !== undefined) return explicit;

  const locale = new Intl.Locale(tag);
  const usualScript = new Intl.Locale(locale.language).maximize().script;
  const script = locale.maximize().script;
  if (script !== usualScript) {
    // CLDR files such a locale under its script, and lets a script that is not the language's own inherit from the root.
    if (locale.script === undefined && script !== undefined) return new Intl.Locale(tag, { script }).baseName;
    if (tag === `${locale.language}-${locale.script}`) return undefined;
  }
  const end = tag.lastIndexOf('-');
  return end === -1 ? undefined : tag.slice(0, end);
}

function explicitParents(): ReadonlyMap<string, string> {
  parentByLocale ??= new Map(
    parentLocales
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [parent = '', children = ''] = line.split(': ');
        return children.split(' ').map((child) => [child, parent] as const);
      }),
  );
  return parentByLocale;
}
