import { describe, expect, it } from 'vitest';
import { Locales } from './locales.ts';

const locales = new Locales('en-US');

describe('Locales.accepted', () => {
  it.each([
    ['DE-ch', 'de-CH'],
    ['de-CH;q=0.3, fr;q=0.9', 'fr'],
    ['tlh, fr;q=0.5', 'fr'],
    ['zh-TW', 'zh-TW'],
    ['zh-Hant-XX', 'zh-Hant'],
    ['de-XX', 'de'],
    ['iw', 'he'],
    ['de-*', 'de'],
    ['zh-Hant-*;q=0.8, xx', 'zh-Hant'],
    ['cmn-Hans-CN', 'zh-Hans-CN'],
    ['sr-Latn-XX', 'sr-Latn'],
    ['de-DE-1996', 'de-DE'],
    ['fr;q=0, de', 'de'],
    ['ca-valencia', 'ca-ES-valencia'],
    ['fr-FR-u-ca-buddhist', 'fr-FR'],
    ['xx, ar-EG;q=0.8, de;q=0.5', 'ar-EG'],
    ['en-GB,en-US;q=0.9,en;q=0.8', 'en-GB'],
  ])('matches %s with %s', (header, tag) => {
    expect(locales.accepted(header).languageTag).toBe(tag);
  });

  const unknown = [
    '',
    '*',
    'und',
    'en_US',
    'x-private',
    'root',
    'C',
    'i-klingon',
    ',,,;;;q=',
    'tlh',
    'de;q=nonsense',
    '__proto__',
  ];
  it.each([undefined, ...unknown, '\u0000', '<script>', 'a'.repeat(1_000_000), 'xx-XX,'.repeat(100_000)])(
    'returns the default for a malformed or unknown header (%#)',
    (header) => expect(locales.accepted(header).languageTag).toBe('en-US'),
  );

  it('matches every supported tag with itself, in any case', () => {
    for (const tag of locales.tags) {
      expect(locales.accepted(tag).languageTag).toBe(tag);
      expect(locales.accepted(tag.toUpperCase()).languageTag).toBe(tag);
      expect(locales.find(tag.toLowerCase())?.languageTag).toBe(tag);
    }
  });
});

describe('Locales.find', () => {
  it.each([
    ['iw', 'he'],
    ['DE-at', 'de-AT'],
    ['tl', 'fil'],
    ['sr-YU', 'sr-RS'],
    ['de_DE.UTF-8', 'de-DE'],
    [' en-gb ', 'en-GB'],
    ['en-GB-oed', 'en-GB'],
    ['zh-cmn-Hans-CN', 'zh-Hans-CN'],
    ['zh-yue-HK', 'yue-HK'],
    ['en-Latn-GB', 'en-GB'],
    ['th-TH-u-nu-thai-x-lvariant-TH', 'th-TH'],
    ['en-t-de', 'en'],
  ])('canonicalises %s and finds %s', (tag, found) => {
    expect(locales.find(tag)?.languageTag).toBe(found);
  });

  it.each(['', 'de-XX', '__proto__', 'toString', 'i-klingon', 'tlh', 'x-private', 'en@euro'])(
    'does not find %j',
    (tag) => expect(locales.find(tag)).toBeUndefined(),
  );

  it.each([
    ['ja-JP-u-ca-japanese', 'ja-JP-u-ca-japanese'],
    ['JA_jp_U_CA_JAPANESE', 'ja-JP-u-ca-japanese'],
    ['ar-EG-u-nu-latn-hc-h23', 'ar-EG-u-hc-h23-nu-latn'],
    ['de-DE', 'de-DE'],
  ])('keeps the extension of %s for dates and times: %s', (tag, formatTag) => {
    expect(locales.parse(tag)?.formatTag).toBe(formatTag);
  });

  it.each([
    ['ar-EG', 'rtl'],
    ['ks-Deva', 'ltr'],
    ['pa-PK', 'rtl'],
    ['pa', 'ltr'],
    ['ff-Adlm', 'rtl'],
    ['nqo', 'rtl'],
    ['ku', 'ltr'],
    ['kk-Arab', 'rtl'],
  ])('finds %s, which is written %s', (tag, direction) => {
    expect(locales.find(tag)?.direction).toBe(direction);
  });
});

describe('the default locale', () => {
  it('must be a supported locale, or near to one', () => {
    expect(new Locales('de-XX').default.languageTag).toBe('de');
    expect(() => new Locales('klingon')).toThrow('clock.locale is "klingon", which is not a supported locale');
  });
});
