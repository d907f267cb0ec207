import { describe, expect, it } from 'vitest';
import { nothing, texts } from '../masking/secret-key.ts';
import { MapCursor, MapEntry, MapScan, mapKeyName } from './map-cursors.ts';

const longNumber = 1n << 33_219n;
const shows = () => nothing;
const mapOf = (...keys: unknown[]) => new Map(keys.map((key, index) => [key, index]));

/** Whether a map is shown as an object or a list, found in steps of so much work. */
function kindOf(map: Map<unknown, unknown>, work = 1_000_000): string {
  const scan = new MapScan(map);
  while (!scan.advance(work));
  return scan.kind;
}

describe('a map is shown as an object when its keys are', () => {
  it.each([
    ['none', []],
    ['texts', ['a', 'b', '']],
    ['numbers', [1, 2, Number.NaN]],
    ['of several kinds', ['a', 1, true, null, undefined, 2n, Symbol('s')]],
    ['numbers and texts of other numbers', [1, '2']],
    ['a BigInt and a number that is another', [2n, 1]],
    ['a BigInt and a number that is only nearly the same', [9007199254740993n, 9007199254740992]],
    ['symbols of different names', [Symbol('a'), Symbol('b')]],
    ['a BigInt of ten thousand digits', [longNumber - 1n, 1 - Number.EPSILON]],
    ['a negative one', [-longNumber + 1n]],
  ])('%s', (_, keys) => {
    expect(kindOf(mapOf(...keys))).toBe('object');
    expect(kindOf(mapOf(...keys), 10)).toBe('object');
  });
});

describe('a map is shown as a list when its keys are', () => {
  it.each([
    ['an object', [{}]],
    ['an object after texts', ['a', 'b', {}]],
    ['an object after null', [null, {}]],
    ['a function', [1, () => 1]],
    ['a number and its text', [1, '1']],
    ['a text and its number', ['1', 1]],
    ['a BigInt and its text', ['2', 2n]],
    ['a BigInt and its number', [2, 2n]],
    ['null and its text', [null, 'null']],
    ['true and its text', [true, 'true']],
    ['symbols of one name', [Symbol('a'), Symbol('b'), Symbol('a')]],
    ['a symbol and its text', [Symbol('a'), 'Symbol(a)']],
    ['a very long BigInt', [longNumber]],
    ['a very long BigInt after a short one', [1n, longNumber]],
    ['a very long negative BigInt', [-longNumber]],
  ])('%s', (_, keys) => {
    expect(kindOf(mapOf(...keys))).toBe('list');
    expect(kindOf(mapOf(...keys), 10)).toBe('list');
  });
});

describe('the keys of a map are looked at', () => {
  it('in steps of so many keys, and in smaller steps where names are compared', () => {
    const stepsOf = (map: Map<unknown, unknown>) => {
      const scan = new MapScan(map);
      let steps = 1;
      while (!scan.advance(100)) steps++;
      return steps;
    };
    const numbers = Array.from({ length: 250 }, (_, index) => index);
    expect(stepsOf(mapOf(...numbers))).toBe(3);
    // The last of the three steps begins to compare, ten keys at a time.
    expect(stepsOf(mapOf('a', ...numbers.slice(1)))).toBe(3 + 25);
    expect(stepsOf(mapOf({}, ...numbers))).toBe(1);
    expect(stepsOf(mapOf('1', ...numbers))).toBe(3);
  });

  it('and have names', () => {
    expect(['a', 1, -0, 2n, null, undefined, true, Symbol('s'), {}, [], () => 1, longNumber].map(mapKeyName)).toEqual([
      'a',
      '1',
      '0',
      '2',
      'null',
      'undefined',
      'true',
      'Symbol(s)',
      '[Object]',
      '[Object]',
      '[Function]',
      '[BigInt]',
    ]);
  });
});

describe('the cursor of a map moves at once to', () => {
  const map = new Map<unknown, unknown>([
    ['a', 'text'],
    [1, 'number'],
    [-1.5, 'fraction'],
    [Number.NaN, 'none'],
    [2n, 'BigInt'],
    [-(10n ** 30n), 'long BigInt'],
    [0, 'zero'],
    ['token', 'planted'],
  ]);

  it.each([
    ['a', 'text'],
    ['1', 'number'],
    ['-1.5', 'fraction'],
    ['NaN', 'none'],
    ['2', 'BigInt'],
    [String(-(10n ** 30n)), 'long BigInt'],
    ['0', 'zero'],
  ])('%s', (name, value) => {
    const cursor = new MapCursor(map, shows);
    expect([cursor.seek(name), cursor.key, cursor.value, cursor.mark]).toEqual([true, name, value, undefined]);
  });

  it.each(['b', '01', '1.0', '-0', '', '+1', ' 1', '3', '1e0', '1'.repeat(10_001)])('nothing for %j', (name) => {
    expect(new MapCursor(map, shows).seek(name)).toBe(false);
  });

  it('a secret, which it says is one', () => {
    const cursor = new MapCursor(map, (key) => (key === 'token' ? texts : nothing));
    expect([cursor.seek('token'), cursor.secrecy]).toEqual([true, texts]);
    expect([cursor.seek('a'), cursor.secrecy]).toEqual([true, nothing]);
  });
});

describe('an entry of a map', () => {
  it('is known by its making', () => {
    expect(MapEntry.isOne(new MapEntry(1, 2))).toBe(true);
    expect(MapEntry.isOne({ key: 1, value: 2 })).toBe(false);
  });

  it('shows its value unless its name is secret, and never hides the name', () => {
    const shown = (key: unknown) => {
      const cursor = new MapEntry(key, 'value').cursor((name) => (/token/.test(name) ? texts : nothing));
      const marks: unknown[] = [];
      while (cursor.next()) marks.push(cursor.secrecy === nothing ? cursor.value : 'masked');
      return marks;
    };
    const symbol = Symbol('token');
    expect([shown('token'), shown(symbol)]).toEqual([
      ['token', 'masked'],
      [symbol, 'masked'],
    ]);
    expect([shown('other'), shown(1), shown(null)]).toEqual([
      ['other', 'value'],
      [1, 'value'],
      [null, 'value'],
    ]);
  });
});
