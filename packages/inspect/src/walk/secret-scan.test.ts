import { describe, expect, it } from 'vitest';
import { Masking } from '../masking/masking.ts';
import { SecretScan } from './secret-scan.ts';

describe('the search for secrets', () => {
  const items = Array.from({ length: 4000 }, (_, index) =>
    index === 3999 ? { password: 'hunter22' } : `text ${index}`,
  );
  it.each([
    ['list', items],
    ['set', new Set(items)],
    ['map', new Map(items.entries())],
    ['object', Object.fromEntries(items.map((item, index) => [`key ${index}`, item]))],
  ])('looks at the clock within a long %s, and goes on where it was', (_, long) => {
    const scan = new SecretScan({ long }, new Masking());
    expect(scan.work(0)).toBe(false);
    expect(scan.learned.isEmpty).toBe(true);
    let calls = 1;
    while (!scan.work(0)) calls++;
    expect(calls).toBeGreaterThan(10);
    expect(scan.learned.isIn('hunter22')).toBe(true);
  });
});
