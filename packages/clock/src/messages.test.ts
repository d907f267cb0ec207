import { localeChain, Messages } from '@jig/application/internal';
import { describe, expect, it } from 'vitest';
import { leaf, readLanguage } from '../scripts/tables/cldr.ts';

const messages = new Messages();
messages.add('@jig/clock', new URL('../messages/', import.meta.url));

const keys = messages.catalogs[0]?.keys ?? [];
const values = { value: 'x', cldr: '48', tz: '2025c' };

function textsIn(locale: string): string[] {
  return keys.map((key) => messages.message(locale, key, values));
}

/** ICU's names of mixed writing systems are no Unicode scripts. */
const scriptPattern: Readonly<Record<string, string>> = {
  Jpan: '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]',
  Kore: '\\p{Script=Hangul}',
  Hans: '\\p{Script=Han}',
  Hant: '\\p{Script=Han}',
};

describe('the catalogs of the clock', () => {
  it('all have the same keys with the same arguments', () => {
    expect(messages.differences()).toEqual([]);
  });

  it('exist for the most widely read languages', () => {
    const wanted =
      'en ar he fa ur hi bn ta th zh zh-Hant ja ko ru uk bg de fr es pt pt-PT it nl sv da no fi pl cs sk hu ro el tr vi id';
    expect(messages.locales).toEqual(expect.arrayContaining(wanted.split(' ')));
  });

  it.each([
    ['zh-TW', '時區'],
    ['zh-HK', '時區'],
    ['zh-SG', '时区'],
    ['pt-BR', 'Fuso horário'],
    ['nb-NO', 'Tidssone'],
    ['iw-IL', 'אזור זמן'],
    ['sr-ME', 'Vremenska zona'],
    ['en-NZ', 'Time zone'],
  ])('serve %s', (locale, label) => {
    expect(messages.message(locale, 'zoneLabel')).toBe(label);
  });

  /** CLDR's word means just "time"; this is what its own Arabic texts say for a time zone. */
  const otherTerms: Readonly<Record<string, string>> = { ar: 'المنطقة الزمنية' };

  it.each(messages.locales)('of %s call a time zone as CLDR does', (locale) => {
    const fields = readLanguage('dates', locale, 'dateFields', 'dates', 'fields');
    const term = otherTerms[locale] ?? leaf(fields, 'zone', 'displayName');
    expect(term).toBeDefined();
    expect(messages.message(locale, 'zoneLabel').toLowerCase()).toBe(term?.toLowerCase());
  });

  /** They write "and" into the word itself. */
  const inflecting = new Set(['ml', 'ta']);

  it.each(messages.locales)('of %s call languages and regions as CLDR does', (locale) => {
    const names = readLanguage('localenames', locale, 'localeDisplayNames', 'localeDisplayNames', 'codePatterns');
    const label = messages.message(locale, 'localeLabel').toLowerCase();
    for (const part of ['language', 'territory']) {
      const term = (leaf(names, part) ?? '')
        .replace(/[^\p{L}\p{M} ]/gu, '')
        .trim()
        .toLowerCase();
      // Basque has none for languages.
      expect(term !== '' || locale === 'eu').toBe(true);
      expect(label).toContain(inflecting.has(locale) ? term.replace(/\p{L}?\p{M}$/u, '') : term);
    }
  });

  it.each(messages.locales)('of %s are written in its own script, as text fit for print', (locale) => {
    const script = new Intl.Locale(locale).maximize().script ?? '';
    const ownScript = new RegExp(scriptPattern[script] ?? `\\p{Script=${script}}`, 'u');
    for (const text of textsIn(locale)) {
      expect(text).toMatch(ownScript);
      expect(text).toBe(text.normalize('NFC').trim());
      expect(text).not.toMatch(/["'<>&{}]/);
    }
  });

  it.each(messages.locales.filter((locale) => !localeChain(locale).includes('en')))(
    'of %s are not left in English',
    (locale) => {
      const english = textsIn('en');
      const same = textsIn(locale).filter((text) => english.includes(text));
      expect(same.filter((text) => text !== 'Time zone')).toEqual([]);
    },
  );
});
