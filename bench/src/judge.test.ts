import { describe, expect, it } from 'vitest';
import { judge, judgeGrowth, quantile, summarize } from './judge.ts';

describe('judge', () => {
  it.each([
    [{ speed: 0.75 }, 'met', '≥ 0.75'],
    [{ speed: 0.75, aim: 0.8 }, 'aim', '≥ 0.75'],
    [{ speed: 0.9, aim: 1 }, 'short', '≥ 0.9'],
    [{ cost: 1.3 }, 'met', '≤ 1.3'],
    [{ cost: 2, aim: 1.25 }, 'aim', '≤ 2'],
    [{ cost: 1.2 }, 'short', '≤ 1.2'],
    [{ atMost: 10 }, 'met', '≤ 10'],
    [{ atMost: 9 }, 'short', '≤ 9'],
    [{ shown: true }, 'shown', ''],
  ] as const)('target %j, when ours costs 10 and the reference 8, gives the verdict %s', (target, verdict, floor) => {
    expect(judge(target, [10, 10, 10], [8, 8, 8])).toMatchObject({ verdict, floor });
  });

  it('compares samples of the same round, when the machine becomes slower, and finds one ratio', () => {
    const { judged } = judge({ speed: 1 }, [10, 20, 40, 80], [5, 10, 20, 40]);
    expect(judged).toEqual({ median: 0.5, spread: 0 });
  });

  it('throws when the target is a ratio and there is no reference', () => {
    expect(() => judge({ speed: 1 }, [1], undefined)).toThrow('needs a reference');
  });
});

describe('judgeGrowth', () => {
  const points = (...costs: number[]) =>
    costs.map((cost, index) => ({ size: 10 ** index, samples: [cost, cost * 2, cost * 3] }));

  it('compares the largest size with the smallest when the target is flat', () => {
    expect(judgeGrowth({ flat: 1.5 }, points(50, 70, 60))).toMatchObject({ verdict: 'met', judged: { median: 1.2 } });
    expect(judgeGrowth({ flat: 1.5 }, points(50, 60, 100))).toMatchObject({ verdict: 'short', floor: '≤ 1.5' });
  });

  it('compares the cost per unit at the largest size with the lowest at smaller ones when the target is linear', () => {
    const fixedCostAndFivePerUnit = points(60, 100, 550, 5000);
    const { verdict, judged } = judgeGrowth({ linear: 1.2 }, fixedCostAndFivePerUnit);
    expect(verdict).toBe('met');
    expect(judged.median).toBeCloseTo(5 / 5.5);
    const quadratic = points(1, 100, 10_000);
    expect(judgeGrowth({ linear: 1.2 }, quadratic)).toMatchObject({ verdict: 'short', judged: { median: 100 } });
  });

  it('throws when there is only one size', () => {
    expect(() => judgeGrowth({ flat: 1 }, points(1))).toThrow('two sizes');
  });
});

describe('quantile', () => {
  it('interpolates between samples in any order', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([5], 0.99)).toBe(5);
    expect(quantile([1, 2, 3, 4, 5], 1)).toBe(5);
  });

  it('throws when there are no samples', () => {
    expect(() => quantile([], 0.5)).toThrow('no samples');
  });
});

describe('summarize', () => {
  it('gives the median, and half the distance between the quartiles relative to it', () => {
    expect(summarize([8, 10, 12])).toEqual({ median: 10, spread: 0.1 });
  });
});
