import { describe, expect, it } from 'vitest';
import { Tables } from '../tables/tables.ts';
import { Locales, languageRanges } from './locales.ts';

const locales = new Locales(Tables.read(), 'en-US');

describe('Locales.accepted', () => {
  it.each([
    ['de-CH', 'de-CH'],
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
    ['en-GB-oxendict', 'en-GB'],
    ['de-DE-1996', 'de-DE'],
    ['fr;q=0, de', 'de'],
  ])('matches %s with %s', (header, tag) => {
    expect(locales.accepted(header).languageTag).toBe(tag);
  });

  it.each([
    undefined,
    '',
    '*',
    'und',
    'en_US',
    'x-private',
    'root',
    'C',
    'zh-cmn',
    'i-klingon',
    'en-',
    ',,,;;;q=',
    'tlh',
    'de;q=nonsense',
    '\u0000',
    '<script>',
    `${'a'.repeat(1_000_000)}`,
    'xx-XX,'.repeat(100_000),
  ])('returns the default for a malformed or unknown header (%#)', (header) => {
    const { languageTag } = locales.accepted(header);
    expect(['en-US', 'zh']).toContain(languageTag);
  });

  it('matches every supported tag with itself, in any case', () => {
    for (const tag of locales.tags) {
      expect(locales.accepted(tag).languageTag).toBe(tag);
      expect(locales.accepted(tag.toUpperCase()).languageTag).toBe(tag);
      expect(locales.find(tag.toLowerCase())?.languageTag).toBe(tag);
    }
  });

  it('finds a variant without its implied region', () => {
    expect(locales.accepted('ca-valencia').languageTag).toBe('ca-ES-valencia');
  });

  it('supports no locale in a script without data', () => {
    expect(locales.tags).toContain('ku-Latn-IQ');
    expect(locales.tags).not.toContain('ku-IQ');
  });

  it('reads the first sixteen ranges only', () => {
    const many = `${'tlh,'.repeat(16)}de`;
    expect(languageRanges(many)).toHaveLength(16);
    expect(locales.accepted(many).languageTag).toBe('en-US');
  });
});

describe('Locales.find', () => {
  it.each([
    ['iw', 'he'],
    ['IN', 'id'],
    ['tl', 'fil'],
    ['sh-RS', 'sr-Latn-RS'],
    ['sr-YU', 'sr-RS'],
  ])('resolves the deprecated tag %s to %s', (old, tag) => {
    expect(locales.find(old)?.languageTag).toBe(tag);
  });

  it('finds every supported tag, and no other', () => {
    for (const tag of locales.tags) expect(locales.find(tag)?.languageTag).toBe(tag);
    for (const tag of [
      '',
      'de-XX',
      '__proto__',
      'constructor',
      'toString',
      'i-klingon',
      'tlh',
      'x-private',
      'en@euro',
    ]) {
      expect([tag, locales.find(tag)]).toEqual([tag, undefined]);
    }
  });

  it.each([
    ['de_DE', 'de-DE'],
    ['de_DE.UTF-8', 'de-DE'],
    [' en-gb ', 'en-GB'],
    ['en-GB-oed', 'en-GB'],
    ['zh-cmn-Hans-CN', 'zh-Hans-CN'],
    ['zh-yue-HK', 'yue-HK'],
    ['ar-arb-EG', 'ar-EG'],
    ['zh-guoyu', 'zh'],
    ['no-nyn', 'nn'],
    ['i-lux', 'lb'],
    ['en-Latn-GB', 'en-GB'],
    ['de-DE-1996', 'de-DE'],
    ['th-TH-u-nu-thai-x-lvariant-TH', 'th-TH'],
    ['de-DE-u-co-phonebk', 'de-DE'],
    ['en-t-de', 'en'],
  ])('canonicalises %s and finds %s', (tag, found) => {
    expect(locales.find(tag)?.languageTag).toBe(found);
  });

  it.each([
    ['ja-JP-u-ca-japanese', { calendar: 'japanese', numbers: undefined, hourCycle: undefined }],
    ['JA_jp_U_CA_JAPANESE', { calendar: 'japanese', numbers: undefined, hourCycle: undefined }],
    ['ar-EG-u-nu-latn-hc-h23', { calendar: undefined, numbers: 'latn', hourCycle: 'h23' }],
    ['de-DE-u-co-phonebk', undefined],
    ['de-DE', undefined],
  ])('reads in %s how dates and times are to be written', (tag, preferences) => {
    expect(locales.read(tag)?.preferences).toEqual(preferences);
  });

  it.each(['de-u-ca-klingon', 'de-u-nu-roman', 'de-u-nu-nonsense', 'de-u-hc-h13'])(
    'does not understand %s, which asks for what there is not',
    (tag) => {
      expect(locales.read(tag)).toBeUndefined();
      expect(locales.nearest(tag)?.languageTag).toBe('de');
    },
  );
});

describe('a locale', () => {
  it.each([
    ['ar-EG', 'rtl'],
    ['he', 'rtl'],
    ['ks-Deva', 'ltr'],
    ['pa-Arab-PK', 'rtl'],
    ['pa-PK', 'rtl'],
    ['pa', 'ltr'],
    ['ff-Adlm', 'rtl'],
    ['nqo', 'rtl'],
    ['syr', 'rtl'],
    ['ku', 'ltr'],
    ['kk-Arab', 'rtl'],
    ['ja-JP', 'ltr'],
  ])('%s is written %s', (tag, direction) => {
    expect(locales.find(tag)?.direction).toBe(direction);
  });
});

describe('the default', () => {
  it('must be a supported locale, or near to one', () => {
    expect(new Locales(Tables.read(), 'de-XX').default.languageTag).toBe('de');
    expect(() => new Locales(Tables.read(), 'klingon')).toThrow('There is no locale "klingon"');
  });
});
