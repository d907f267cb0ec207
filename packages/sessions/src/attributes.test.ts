import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { attributesSize, fromStorableText, toStorableText } from './attributes.ts';

const anyText = fc
  .array(fc.constantFrom('\0', '\\', '"', ':', '1', 'a', 'ä', '\ud83d', '\ude00', '🕰️'))
  .map((parts) => parts.join(''));

describe('toStorableText', () => {
  it('returns ordinary texts unchanged', () => {
    for (const text of ['', 'de-CH', 'Asia/Kolkata', 'a\\b', '🕰️', '"', ' \n']) expect(toStorableText(text)).toBe(text);
  });

  it('escapes characters that stores lose, and fromStorableText restores every text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const stored = toStorableText(text);
        expect(fromStorableText(stored)).toBe(text);
        expect(stored).not.toContain('\0');
        expect(Buffer.from(stored).toString()).toBe(stored);
      }),
    );
  });
});

describe('attributesSize', () => {
  it('counts names and values in bytes of UTF-8, whatever the texts and their length', () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('a', '\x7f', '\x80', 'ü', '€', '𝄞', '\ud800')),
      maxLength: 200,
    });
    const anyOfThem = fc.oneof(text, fc.string({ unit: anyCharacter, maxLength: 80 }));
    fc.assert(
      fc.property(anyOfThem, anyOfThem, (name, value) => {
        const size = new TextEncoder().encode(name).length + new TextEncoder().encode(value).length;
        expect(attributesSize(new Map([[name, value]]))).toBe(size);
      }),
    );
  });
});
