import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withoutControlCharacters } from './create-log.ts';

const cleaned = (text: string) => JSON.parse(withoutControlCharacters(JSON.stringify({ text }))).text as string;

it.each([
  ['\u001b[2Jgone', '\u{fffd}[2Jgone'],
  ['\u009b31mred', '\u{fffd}31mred'],
  ['bell\u0007', 'bell\u{fffd}'],
  ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
  ['\\u001b written out', '\\u001b written out'],
  ['\\\\u001b', '\\\\u001b'],
])('%j becomes %j', (text, expected) => {
  expect(cleaned(text)).toBe(expected);
});

it('withoutControlCharacters changes nothing else, in any text', () => {
  const units = fc.constantFrom(
    '\\',
    'u',
    '0',
    '1',
    'b',
    '"',
    '\u001b',
    '\n',
    'é',
    '\u0085',
    '\ud800',
    '\b',
    '\f',
    '\r',
  );
  fc.assert(
    fc.property(fc.string({ unit: units }), (text) => {
      expect(cleaned(text)).toBe(text.replace(/(?![\n\t])\p{Cc}/gu, '\u{fffd}'));
    }),
    { numRuns: 2000 },
  );
});
