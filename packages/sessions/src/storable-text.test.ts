import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromStorableText, toStorableText } from './storable-text.ts';

const anyText = fc
  .array(fc.constantFrom('\0', '\\', '"', ':', '1', 'a', 'ä', '\ud83d', '\ude00', '🕰️'))
  .map((parts) => parts.join(''));

describe('a storable text', () => {
  it('leaves ordinary texts as they are', () => {
    for (const text of ['', 'de-CH', 'Asia/Kolkata', 'a\\b', '🕰️', '"', ' \n']) expect(toStorableText(text)).toBe(text);
  });

  it('gives every text back, and is itself free of what stores lose', () => {
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
