import { describe, expect, it } from 'vitest';
import { mayHaveEscapes, Unescaped, Work } from './secret-encodings.ts';
import { SecretFinder } from './secrets.ts';

interface Written {
  readonly as: string;
  readonly secret: string;
  readonly text: string;
}

const layersOf = (text: string) => Unescaped.layersOf(text, new Work()) ?? [];
const base64 = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding).toString('base64');

/** Every one of these texts is the secret in some writing, from its first character to its last. */
const written: readonly Written[] = [
  { as: 'itself', secret: 'p@ss wörd', text: 'p@ss wörd' },
  { as: 'UTF-8 read as Latin-1', secret: 'p@ss wörd', text: 'p@ss wÃ¶rd' },
  { as: 'hexadecimal', secret: 'wörd/1', text: '77c3b672642f31' },
  { as: 'upper-case hexadecimal', secret: 'wörd/1', text: '77C3B672642F31' },
  { as: 'a list of bytes', secret: 'wörd/1', text: '119,195,182,114,100,47,49' },
  { as: 'percent-encoding', secret: 'p@ss wörd', text: 'p%40ss%20w%C3%B6rd' },
  { as: 'percent-encoding in lower case', secret: 'p@ss wörd', text: '%70%40ss%20w%c3%b6rd' },
  { as: 'percent-encoding of Latin-1', secret: 'p@ss wörd', text: 'p%40ss%20w%F6rd' },
  { as: 'percent-encoding of three bytes', secret: 'p@ss €', text: 'p%40ss%20%E2%82%AC' },
  { as: 'percent-encoding of four bytes', secret: 'p@ss 😀', text: 'p%40ss%20%F0%9F%98%80' },
  { as: 'percent-encoding twice', secret: 'p@ss wörd', text: 'p%2540ss%2520w%25C3%25B6rd' },
  { as: 'escape() has it', secret: 'p@ss €', text: 'p@ss%20%u20AC' },
  { as: 'a form', secret: 'p@ss wörd', text: 'p%40ss+w%C3%B6rd' },
  { as: 'XML', secret: `<a&b>'"`, text: '&lt;a&amp;b&gt;&apos;&quot;' },
  { as: 'HTML in upper case', secret: '<a&b>!', text: '&LT;a&AMP;b&GT;!' },
  { as: 'decimal references', secret: 'p@ss 😀', text: 'p&#64;ss&#32;&#128512;' },
  { as: 'hexadecimal references', secret: 'p@ss 😀', text: 'p&#x40;ss&#X20;&#x1f600;' },
  { as: 'JSON', secret: 'a"b\\c\n\r\t\b\fz', text: 'a\\"b\\\\c\\n\\r\\t\\b\\fz' },
  { as: 'JSON with escaped slashes', secret: 'a/b/c/', text: 'a\\/b\\/c\\/' },
  { as: 'JSON in ASCII', secret: 'p@ss €', text: 'p\\u0040ss \\u20aC' },
  { as: 'JSON in JSON', secret: 'said "no"', text: 'said \\\\\\"no\\\\\\"' },
  { as: 'JSON in a URL', secret: 'say "no"', text: 'say%20%5C%22no%5C%22' },
  { as: 'JavaScript', secret: 'p@ss 😀\v\0', text: 'p\\x40ss \\u{1F600}\\v\\0' },
  { as: 'a regular expression', secret: 'a.b*c?', text: 'a\\.b\\*c\\?' },
  { as: 'a regular expression with a line break', secret: 'a\nb.c?', text: 'a\\\nb\\.c\\?' },
  { as: 'without white space around it', secret: '\u00a0hunter22\n', text: 'hunter22' },
  { as: 'the URL parser has it', secret: 'a\tb\r\nc\\d/', text: 'abc/d/' },
  { as: 'the URL parser has it, with what looks like an escape', secret: 'hunt%65r', text: 'hunter' },
  { as: 'with a lone surrogate', secret: 'hunter\ud800', text: 'hunter\ufffd' },
  { as: 'base64 of UTF-16', secret: 'hunter22€', text: base64('hunter22€', 'utf16le') },
  { as: 'base64 of Latin-1', secret: 'pass wörd', text: base64('pass wörd', 'latin1') },
  { as: 'base64 of JSON', secret: 'say "no".!', text: base64('say \\"no\\".!') },
  { as: 'base64 of a URL', secret: 'a b/cd!!', text: base64('a%20b%2Fcd!!') },
  { as: 'base64 of a form', secret: 'a b/c d', text: base64('a+b%2Fc+d') },
  { as: 'base64 in lines', secret: 'hunter2-correct-horse', text: 'aHVudGVyMi1jb3\nJyZWN0LWhv\n  cnNl' },
  { as: 'base64 in lines of CRLF', secret: 'hunter2-correct-horse', text: 'aHVudGVyMi1jb3\r\nJyZWN0LWhv\r\ncnNl' },
  { as: 'base64 in lines in JSON', secret: 'hunter2-correct-horse', text: 'aHVudGVyMi1jb3\\nJyZWN0LWhvcnNl' },
];

const surroundings = [
  ['', ''],
  ['before ', ' after'],
  ['%20%21 ', ' %22 %'],
  ['&lt;&#33; ', ' &amp; &'],
  ['\\n\\u0020 ', ' \\t \\'],
] as const;

describe('a secret is masked, and nothing around it, where it is written as', () => {
  it.each(written)('$as', ({ secret, text }) => {
    const finder = new SecretFinder([secret]);
    for (const [before, after] of surroundings) {
      expect(finder.mask(before + text + after)).toBe(`${before}******${after}`);
      expect(finder.isIn(before + text + after)).toBe(true);
    }
    const other = new SecretFinder([`another ${secret}`]);
    expect(other.mask(text)).toBe(text);
  });

  // Bytes begin at one of three places within four characters, and may share a character with their neighbours.
  it.each([0, 1, 2, 3, 4])('base64 after %i other bytes', (before) => {
    const secrets = ['hunter22', 'hunter22!', 'hunter22!?', '>>>???~~~', '???>>>~~~~'];
    for (const [secret, after] of secrets.flatMap((each) => [0, 1, 2].map((count) => [each, count] as const))) {
      const bytes = Buffer.from('\0'.repeat(before) + secret + '\0'.repeat(after));
      const finder = new SecretFinder([secret]);
      for (const encoding of ['base64', 'base64url'] as const) {
        const text = bytes.toString(encoding);
        const first = Math.floor((before * 8) / 6);
        const last = Math.ceil(((before + secret.length) * 8) / 6);
        expect(finder.mask(text)).toBe(`${text.slice(0, first)}******${text.slice(last)}`);
      }
    }
  });

  it('base64 of Latin-1 only where that can hold it', () => {
    const text = base64('hunter\xac22', 'latin1');
    expect(new SecretFinder(['hunter\u20ac22']).mask(text)).toBe(text);
  });

  it('base64 that something else than base64 stands beside', () => {
    const finder = new SecretFinder(['hunter22']);
    // The first character of what encodes a byte before the secret, and the last, are missing.
    const inside = Buffer.from('.hunter22.').toString('base64').slice(2, 12);
    expect(finder.mask(`"${inside}"`)).toBe('"******"');
    expect(finder.mask(inside)).toBe('******');
  });
});

describe('a text with escapes', () => {
  it.each(['%', '&', '\\'])('is told by a %s anywhere in it', (sign) => {
    for (const length of [0, 63, 64, 65, 200]) {
      const text = 'x'.repeat(length);
      expect([sign + text, text + sign].map(mayHaveEscapes)).toEqual([true, true]);
      expect(mayHaveEscapes(text)).toBe(false);
    }
  });

  it.each([
    ['%41', 'A'],
    ['%7e%7F', '~\x7f'],
    ['%C3%A9', 'é'],
    ['%c3', 'Ã'],
    ['%c3%41', 'ÃA'],
    ['%e2%82', 'â\x82'],
    ['%E2%82%AC', '€'],
    ['%F0%9F%98%80', '😀'],
    ['%f8', 'ø'],
    ['%u20ac', '€'],
    ['100% %4 %zz %u20a %41', '100% %4 %zz %u20a A'],
    ['&amp;amp; &quot;&apos;', '&amp; "\''],
    ['&#65;&#x41;&#X41;&#1114112;&#x110000;', 'AAA\ufffd\ufffd'],
    ['&nbsp; &#; &#x; &#12345678; &#x1234567; & &lt', undefined],
    ['\\"\\/\\\\\\.', '"/\\.'],
    ['\\n\\r\\t\\b\\f\\v\\0', '\n\r\t\b\f\v\0'],
    ['\\x41\\u0041\\u{41}\\u{1f600}\\u{110000}', 'AAA😀\ufffd'],
    ['\\u41 \\x4 \\', 'u41 x4 \\'],
    ['&#x10ffff;', '\u{10ffff}'],
    ['YWJj\n  ZGVm\r\n\tZ\r\r\n\n', 'YWJjZGVmZ\r'],
    ['nothing', undefined],
  ])('%j stands for %j', (text, meaning) => {
    expect(layersOf(text)[0]?.text).toBe(meaning);
  });

  it('has a layer for each way to undo its escapes, and each text once', () => {
    const ways = ['%2541', '%41', 'A'].flatMap((sign) =>
      ['&amp;lt;', '&lt;', '<'].flatMap((reference) =>
        ['\\\\n', '\\n', '\n', ''].map((line) => sign + reference + line),
      ),
    );
    const [text = '', ...others] = ways;
    const layers = layersOf(text).map((layer) => layer.text);
    expect(layers.slice(0, 3)).toEqual(['%41&amp;lt;\\\\n', '%2541&lt;\\\\n', '%2541&amp;lt;\\n']);
    expect(layers.toSorted()).toEqual(others.toSorted());
  });

  it('leads back from any place of a layer to the escape that it came from', () => {
    const [layer] = layersOf('ab%41cd%F0%9F%98%80ef');
    expect(layer?.text).toBe('abAcd😀ef');
    const ranges = [
      [0, 1, 0, 1],
      [1, 3, 1, 5],
      [2, 3, 2, 5],
      [3, 5, 5, 7],
      [5, 6, 7, 19],
      [6, 7, 7, 19],
      [4, 8, 6, 20],
      [7, 9, 19, 21],
    ];
    for (const [start = 0, end = 0, ...original] of ranges) expect(layer?.original([start, end])).toEqual(original);
    const inner = layersOf('a%2541b').at(-1);
    expect([inner?.text, inner?.original([0, 1]), inner?.original([1, 2])]).toEqual(['aAb', [0, 1], [1, 6]]);
  });
});
