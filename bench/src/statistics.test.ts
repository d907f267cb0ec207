import { describe, expect, it } from 'vitest';
import { quantile, summarize } from './statistics.ts';

describe('quantile', () => {
  it('lies between samples, whatever their order', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([5], 0.99)).toBe(5);
    expect(quantile([1, 2, 3, 4, 5], 1)).toBe(5);
  });

  it('of nothing is an error', () => {
    expect(() => quantile([], 0.5)).toThrow('no samples');
  });
});

describe('summarize', () => {
  it('gives the median and half the distance of the quartiles beside it', () => {
    expect(summarize([8, 10, 12])).toEqual({ median: 10, spread: 0.1 });
  });
});
