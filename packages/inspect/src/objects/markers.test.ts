import { describe, expect, it } from 'vitest';
import { classMarker, functionMarker, moreMarker, referenceMarker, threwMarker } from './markers.ts';

const long = 1n << 33_219n;

describe('a marker', () => {
  it.each([
    [1, '[1 more]'],
    [999, '[999 more]'],
    [1_000, '[1,000 more]'],
    [12_345_678, '[12,345,678 more]'],
  ])('of %i entries that are left out', (count, marker) => {
    expect(moreMarker(count)).toBe(marker);
  });

  it('of a reference, a class and a function', () => {
    expect([referenceMarker(''), referenceMarker('/a/b')]).toEqual(['[Reference /]', '[Reference /a/b]']);
    expect(classMarker(new WeakMap())).toBe('[WeakMap]');
    const anonymous = [() => 1][0] as object;
    expect(functionMarker(Object.defineProperty(anonymous, 'name', { value: '' }))).toBe('[Function]');
    expect([functionMarker(function named() {}), functionMarker(new Proxy(() => 1, {}))]).toEqual([
      '[Function named]',
      '[Proxy]',
    ]);
  });

  it.each([
    ['an error', new RangeError('no'), '[Threw RangeError: no]'],
    ['an error without a message', new RangeError(), '[Threw RangeError]'],
    ['an error without a name', Object.assign(new RangeError('no'), { name: '' }), '[Threw RangeError: no]'],
    ['an error whose name is no text', Object.assign(new RangeError('no'), { name: 5 }), '[Threw RangeError: no]'],
    ['an error with a name of its own', Object.assign(new Error('no'), { name: 'Own' }), '[Threw Own: no]'],
    ['an object', {}, '[Threw Object]'],
    ['an object with a message that is no text', { message: 5 }, '[Threw Object]'],
    ['a text', 'no', '[Threw no]'],
    ['null', null, '[Threw null]'],
    ['undefined', undefined, '[Threw undefined]'],
    ['a symbol', Symbol('s'), '[Threw Symbol(s)]'],
    ['a function', function named() {}, '[Threw [Function named]]'],
    ['a proxy', new Proxy({}, {}), '[Threw [Proxy]]'],
    ['a long BigInt', long, '[Threw [BigInt]]'],
  ])('of %s that was thrown', (_, thrown, marker) => {
    expect(threwMarker(thrown)).toBe(marker);
  });
});
