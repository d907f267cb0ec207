import { describe, expect, it } from 'vitest';
import type { ContainerKind } from '../entries/entries.ts';
import { Masking } from '../masking/masking.ts';
import { allSecret, noSecret, textsSecret } from '../masking/secret-key.ts';
import { Context } from '../objects/context.ts';
import { entriesPreview } from './preview.ts';

const masking = new Masking({ secrets: ['hunter22'] });
const context = new Context();
const preview = (container: object, kind: ContainerKind) =>
  entriesPreview(container, {
    kind,
    secrecyOf: (key) => (key === 'token' ? textsSecret : noSecret),
    masking,
    context,
  });
const throwing = () => {
  throw new Error('code of the bean was called');
};
const withGetter = (object: object, key: PropertyKey) =>
  Object.defineProperty(object, key, { get: throwing, enumerable: true });
const letters = 'abcdefghijklmnopqrstuvwxyzabcdef';

describe('a preview in one line', () => {
  it.each<[string, object, ContainerKind, string]>([
    ['an empty object', {}, 'object', '{}'],
    ['an object', { a: 1, b: 'x', c: null }, 'object', '{ a: 1, b: "x", c: null }'],
    ['more entries than are shown', { a: 1, b: 2, c: 3, d: 4 }, 'object', '{ a: 1, b: 2, c: 3, … }'],
    ['methods, which are left out', { m: throwing, a: 1 }, 'object', '{ a: 1 }'],
    ['getters, which are left out', withGetter({ a: 1 }, 'b'), 'object', '{ a: 1 }'],
    ['secrets', { token: 'planted', a: 'hunter22', hunter22: 1 }, 'object', '{ token: ******, a: ******, ******: 1 }'],
    ['an error', new RangeError('no'), 'object', '{ name: "RangeError", message: "no" }'],
    ['objects by their class', { a: {}, b: new Map(), c: [1] }, 'object', '{ a: Object, b: Map, c: Array }'],
    ['values of any kind', [1n, Symbol('s'), undefined], 'array', '[1, Symbol(s), null]'],
    ['functions in a list', [function named() {}], 'array', '[[Function named]]'],
    ['an empty list', [], 'array', '[]'],
    ['a list of three', [1, 2, 3], 'array', '[1, 2, 3]'],
    ['a list of four', [1, 2, 3, 4], 'array', '[1, 2, 3, …]'],
    ['a getter in a list', withGetter([1, 2], 1), 'array', '[1, [Getter]]'],
    ['a hole in a list', Object.assign([1], { length: 2 }), 'array', '[1, null]'],
    ['what is a list only while one goes through it', { length: 1 }, 'array', '[…]'],
    ['an empty set', new Set(), 'set', '[]'],
    ['a set', new Set([1, 'x']), 'set', '[1, "x"]'],
    ['a set of four', new Set([1, 2, 3, 4]), 'set', '[1, 2, 3, …]'],
    ['an empty map', new Map(), 'map', '{}'],
    [
      'a map',
      new Map<unknown, unknown>([
        ['a', 1],
        [2, {}],
        [{}, 'x'],
      ]),
      'map',
      '{ a → 1, 2 → Object, Object → "x" }',
    ],
    ['a map of four', new Map([1, 2, 3, 4].map((each) => [each, each])), 'map', '{ 1 → 1, 2 → 2, 3 → 3, … }'],
    [
      'a map with secrets',
      new Map([
        ['token', 'planted'],
        ['hunter22', 'hunter22'],
      ]),
      'map',
      '{ token → ******, ****** → ****** }',
    ],
    ['a map with null as a key', new Map([[null, 1]]), 'map', '{ null → 1 }'],
  ])('of %s', (_, container, kind, line) => {
    expect(preview(container, kind)).toBe(line);
  });

  it('masks strings when the list or the key is secret', () => {
    const secret = { kind: 'array', secrecyOf: () => textsSecret, masking, context } as const;
    expect(entriesPreview(['a', 1, {}], secret)).toBe('[******, 1, Object]');
    expect(entriesPreview(new Set(['a', true]), { ...secret, kind: 'set' })).toBe('[******, true]');
    const whole = { kind: 'object', secrecyOf: () => allSecret, masking, context } as const;
    expect(entriesPreview({ a: {}, b: 1 }, whole)).toBe('{ a: ******, b: ****** }');
  });

  it('cuts keys and values of more than 32 characters', () => {
    expect(letters).toHaveLength(32);
    const long = `${letters}g`;
    expect(preview({ [letters]: letters }, 'object')).toBe(`{ ${letters}: "${letters}" }`);
    expect(preview({ [long]: long }, 'object')).toBe(`{ ${letters}…: "${letters}…" }`);
    expect(preview(new Map([[long, '"'.repeat(33)]]), 'map')).toBe(`{ ${letters}… → "${'\\"'.repeat(32)}…" }`);
    expect(preview([Symbol(long)], 'array')).toBe(`[Symbol(${letters.slice(0, 25)}…]`);
    expect(preview([10n ** 40n, 10n ** 31n], 'array')).toBe(`[1${'0'.repeat(31)}…, 1${'0'.repeat(31)}]`);
    const Named = Object.defineProperty(class {}, 'name', { value: long });
    expect(preview([new Named()], 'array')).toBe(`[${letters}…]`);
  });
});
