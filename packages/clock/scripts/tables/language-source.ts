import { branch, leaf, readAvailableLocales, readSupplemental } from './cldr.ts';

/** Tells which of CLDR's folders holds what a locale shows: `af-Latn-ZA` shows that of `af`. */
export function languageSources(): (tag: string) => string {
  const available = new Set(readAvailableLocales());
  const parents = branch(
    readSupplemental('cldr-core/supplemental/parentLocales.json'),
    'supplemental',
    'parentLocales',
    'parentLocale',
  );
  return (tag) => {
    if (tag === 'en-US-posix') return 'en';
    const { language, script, region } = new Intl.Locale(tag).maximize();
    const candidates = [
      tag,
      `${language}-${script}-${region}`,
      `${language}-${region}`,
      leaf(parents, tag) ?? '',
      `${language}-${script}`,
      language,
    ];
    return candidates.find((candidate) => available.has(candidate) && scriptOf(candidate) === script) ?? 'en';
  };
}

const scriptOf = (tag: string): string | undefined => new Intl.Locale(tag).maximize().script;
