import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NamePattern } from './access.ts';

const asRegExp = (text: string) =>
  new RegExp(
    `^${text
      .split('*')
      .map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );

describe('a pattern of names', () => {
  it.each([
    ['clock', 'clock', true],
    ['clock', 'clocks', false],
    ['*', '', true],
    ['data*', 'database', true],
    ['*Store', 'sessionStore', true],
    ['a*a', 'a', false],
    ['a*b*a', 'aba', true],
    ['a.c', 'abc', false],
  ])('%s and %s: %s', (pattern, name, matches) => {
    expect(new NamePattern(pattern).matches(name)).toBe(matches);
  });

  it('means what a regular expression would', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '*', '.', '\n'), maxLength: 8 });
    fc.assert(
      fc.property(texts, texts, (pattern, name) => {
        expect(new NamePattern(pattern).matches(name)).toBe(asRegExp(pattern).test(name));
      }),
      { numRuns: 2000 },
    );
  });
});
