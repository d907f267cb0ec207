import { describe, expect, it } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

describe('BoundedCache', () => {
  it('evicts entries that were not used since they were added', () => {
    const cache = new BoundedCache<string>(10);
    cache.set('a', 'A', 4);
    cache.set('b', 'B', 4);
    expect(cache.get('a')).toBe('A');
    cache.set('c', 'C', 4);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C']);
    expect([cache.size, cache.weight]).toEqual([2, 8]);
  });

  it('keeps an entry that is used again and again', () => {
    const cache = new BoundedCache<number>(10);
    cache.set('often', -1);
    for (let other = 0; other < 1000; other++) {
      expect(cache.get('often')).toBe(-1);
      cache.set(`${other}`, other);
      expect(cache.size).toBeLessThanOrEqual(10);
    }
  });

  it('evicts also when every entry was used', () => {
    const cache = new BoundedCache<string>(3);
    for (const key of ['a', 'b', 'c']) cache.set(key, key);
    for (const key of ['c', 'b', 'a']) cache.get(key);
    cache.set('d', 'd');
    expect([cache.size, cache.weight, cache.get('d')]).toEqual([3, 3, 'd']);
  });

  it('counts a replaced entry once, and keeps a single entry over the bound', () => {
    const cache = new BoundedCache<string>(10);
    cache.set('a', 'A', 4);
    cache.set('a', 'AA', 5);
    expect(cache.weight).toBe(5);
    cache.set('b', 'B', 50);
    expect([cache.size, cache.get('b')]).toEqual([1, 'B']);
  });

  it('creates an entry once', () => {
    const cache = new BoundedCache<object>(2);
    const first = cache.getOrCreate('a', () => ({}));
    expect(cache.getOrCreate('a', () => ({}))).toBe(first);
  });
});
