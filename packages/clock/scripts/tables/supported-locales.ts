import { readAvailableLocales, readDefaultContent } from './cldr.ts';

/**
 * Locales that ICU formats although `Intl` answers for them with a shorter tag: variants are cut off, and the
 * regions of Bokmål change nothing.
 */
const answeredByAShorterTag = ['be-tarask', 'ca-ES-valencia', 'el-polyton', 'en-US-posix', 'nb-NO', 'nb-SJ'];

/** Asked of the names, which answer for the same locales as dates and are made in a twentieth of the time. */
const isInIcu = (tag: string): boolean =>
  new Intl.DisplayNames(tag, { type: 'region' }).resolvedOptions().locale === tag;

/** Every locale of which this Node's ICU has data, with its regional and script forms, sorted by code unit. */
export function supportedLocales(): string[] {
  const own = new Set(readAvailableLocales().filter((tag) => tag !== 'und' && isInIcu(tag)));
  const offered = new Set([...own, ...answeredByAShorterTag]);
  for (const tag of readDefaultContent()) {
    if (own.has(parentOf(tag)) || own.has(new Intl.Locale(tag).language)) {
      if (isInIcu(tag)) offered.add(tag);
    }
  }
  for (const tag of own) {
    if (!tag.includes('-')) offered.add(new Intl.Locale(tag).maximize().baseName);
  }
  for (const tag of offered) {
    const { language, script, region } = new Intl.Locale(tag);
    if (script === undefined || region === undefined) continue;
    const withoutScript = new Intl.Locale(`${language}-${region}`);
    // Kurdish in Iraq is written in Arabic letters, of which ICU knows nothing.
    if (isInIcu(withoutScript.baseName) && withoutScript.maximize().script === script) {
      offered.add(withoutScript.baseName);
    }
  }
  return [...offered].sort();
}

const parentOf = (tag: string): string => tag.slice(0, tag.lastIndexOf('-'));
