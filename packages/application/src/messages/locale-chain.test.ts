import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parentLocalesSource } from '../../scripts/parent-locales.ts';
import { localeChain } from './locale-chain.ts';

describe('localeChain', () => {
  it.each([
    ['de', ['de']],
    ['de-AT', ['de-AT', 'de']],
    ['en-GB', ['en-GB', 'en-001', 'en']],
    ['en-CH', ['en-CH', 'en-150', 'en-001', 'en']],
    ['es-MX', ['es-MX', 'es-419', 'es']],
    ['pt-AO', ['pt-AO', 'pt-PT', 'pt']],
    ['nb-NO', ['nb-NO', 'nb', 'no']],
    ['zh-Hans-CN', ['zh-Hans-CN', 'zh-Hans', 'zh']],
    ['ca-ES-valencia', ['ca-ES-valencia', 'ca-ES', 'ca']],
  ])('follows the parents of %s', (tag, chain) => {
    expect(localeChain(tag)).toEqual(chain);
  });

  it.each([
    ['zh-TW', ['zh-TW', 'zh-Hant-TW', 'zh-Hant']],
    ['zh-MO', ['zh-MO', 'zh-Hant-MO', 'zh-Hant-HK', 'zh-Hant']],
    ['zh-Hant', ['zh-Hant']],
    ['sr-ME', ['sr-ME', 'sr-Latn-ME', 'sr-Latn']],
    ['pa-PK', ['pa-PK', 'pa-Arab-PK', 'pa-Arab']],
    ['de-Cyrl-RU', ['de-Cyrl-RU', 'de-Cyrl']],
  ])('never leaves the script of %s', (tag, chain) => {
    expect(localeChain(tag)).toEqual(chain);
  });

  it('drops extensions, corrects case and takes the current code of a language', () => {
    expect(localeChain('EN-us-u-ca-buddhist')).toEqual(['en-US', 'en']);
    expect(localeChain('iw')).toEqual(['he']);
  });

  it.each(['', 'en_US', 'x-private', 'root', 'C', 'i-klingon', 'en-', 'und'])('is empty for %j', (tag) => {
    expect(localeChain(tag)).toEqual([]);
  });

  it('takes the variant that V8 turns into an extension', () => {
    expect(localeChain('en-US-posix')).toEqual(['en-US', 'en']);
  });

  it('is empty for a tag of a million letters', () => {
    expect(localeChain('a'.repeat(1_000_000))).toEqual([]);
  });

  it('ends and does not throw, whatever it is given', () => {
    const subtag = fc.stringMatching(/^[A-Za-z0-9]{1,8}$/);
    fc.assert(
      fc.property(fc.array(subtag, { minLength: 1, maxLength: 5 }), (subtags) => {
        expect(localeChain(subtags.join('-')).length).toBeLessThan(12);
      }),
    );
  });
});

describe('the table of parents', () => {
  it('is what the installed CLDR says', () => {
    expect(readFileSync(new URL('parent-locales.ts', import.meta.url), 'utf8')).toBe(parentLocalesSource());
  });
});
