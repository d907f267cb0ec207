import { describe, expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

describe('BoundedMap', () => {
  it('creates an entry once', () => {
    const map = new BoundedMap<string, object>(2);
    const first = map.getOrCreate('a', () => ({}));
    expect(map.getOrCreate('a', () => ({}))).toBe(first);
  });

  it('forgets what was unused for longest, and only that', () => {
    const map = new BoundedMap<string, string>(2);
    for (const key of ['a', 'b', 'a', 'c']) map.getOrCreate(key, () => `first ${key}`);
    expect(map.size).toBe(2);
    expect(map.getOrCreate('a', () => 'again')).toBe('first a');
    expect(map.getOrCreate('b', () => 'again')).toBe('again');
  });
});
