import { describe, expect, it } from 'vitest';
import { judgeGrowth } from './judge-growth.ts';

const points = (...costs: number[]) =>
  costs.map((cost, index) => ({ size: 10 ** index, samples: [cost, cost * 2, cost * 3] }));

describe('judgeGrowth', () => {
  it('finds a cost flat that is nearly the same at the largest size as at the smallest', () => {
    expect(judgeGrowth({ flat: 1.5 }, points(50, 70, 60))).toMatchObject({ verdict: 'met', judged: { median: 1.2 } });
    expect(judgeGrowth({ flat: 1.5 }, points(50, 60, 100))).toMatchObject({ verdict: 'short', floor: '≤ 1.5' });
  });

  it('finds a cost linear when no unit costs more at the largest size than at the best of the smaller ones', () => {
    const fixedCostAndFive = points(60, 100, 550, 5000);
    const { verdict, judged } = judgeGrowth({ linear: 1.2 }, fixedCostAndFive);
    expect(verdict).toBe('met');
    expect(judged.median).toBeCloseTo(5 / 5.5);
    const squares = points(1, 100, 10_000);
    expect(judgeGrowth({ linear: 1.2 }, squares)).toMatchObject({ verdict: 'short', judged: { median: 100 } });
  });

  it('refuses to tell growth from one size', () => {
    expect(() => judgeGrowth({ flat: 1 }, points(1))).toThrow('two sizes');
  });
});
