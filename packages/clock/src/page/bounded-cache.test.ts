import { describe, expect, it } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

describe('BoundedCache', () => {
  it('forgets what was used longest ago when it becomes too heavy', () => {
    const cache = new BoundedCache<string>(10);
    cache.set('a', 'A', 4);
    cache.set('b', 'B', 4);
    expect(cache.get('a')).toBe('A');
    cache.set('c', 'C', 4);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C']);
    expect([cache.size, cache.weight]).toEqual([2, 8]);
  });

  it('weighs a replaced entry once, and keeps one that is too heavy for all', () => {
    const cache = new BoundedCache<string>(10);
    cache.set('a', 'A', 4);
    cache.set('a', 'AA', 5);
    expect(cache.weight).toBe(5);
    cache.set('b', 'B', 50);
    expect([cache.size, cache.get('b')]).toEqual([1, 'B']);
  });
});
