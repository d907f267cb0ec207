import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8Length } from './utf8-length.ts';

describe('utf8Length', () => {
  it('counts as Node does, whatever the text and its length', () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('a', '\x7f', '\x80', 'ü', '€', '𝄞', '\ud800')),
      maxLength: 200,
    });
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary', maxLength: 80 })), (one) => {
        expect(utf8Length(one)).toBe(Buffer.byteLength(one));
      }),
    );
  });
});
