import { describe, expect, it } from 'vitest';
import type { CaseResult } from '../run-case.ts';
import { summarize } from '../statistics.ts';
import { matrixGrids } from './matrix-grid.ts';

const result = (name: string, samples: Record<string, number[]>): CaseResult => ({
  name,
  unit: 'µs CPU',
  contenders: Object.entries(samples).map(([contender, each]) => ({
    name: contender,
    samples: each,
    ...summarize(each),
  })),
  judgement: { verdict: 'shown', judged: { median: 1, spread: 0 }, isRatio: true, floor: '', aim: '' },
});

describe('matrixGrids', () => {
  it('shows how fast each is against the reference, one grid for each set of contenders', () => {
    const grids = matrixGrids([
      result('tiny, JSON', { ours: [10, 20], reference: [20, 40], a: [40, 80] }),
      result('tiny, XML', { ours: [10], reference: [10], b: [5] }),
      result('big, JSON', { ours: [1], reference: [1], a: [2] }),
    ]);
    expect(grids.map(({ columns }) => columns)).toEqual([
      ['case', 'reference', 'ours', 'a'],
      ['case', 'reference', 'ours', 'b'],
    ]);
    expect(grids[0]?.rows).toEqual([
      ['tiny, JSON', '30.0 ±17% µs CPU', '2.00 ±0.00', '0.50 ±0.00'],
      ['big, JSON', '1.00 ±0% µs CPU', '1.00 ±0.00', '0.50 ±0.00'],
    ]);
    expect(grids[1]?.rows).toEqual([['tiny, XML', '10.0 ±0% µs CPU', '1.00 ±0.00', '2.00 ±0.00']]);
  });
});
