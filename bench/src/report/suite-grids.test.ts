import { describe, expect, it } from 'vitest';
import { summarize } from '../judge.ts';
import type { CaseResult } from '../rows.ts';
import type { SuiteResult } from '../run-suites.ts';
import { suiteGrids } from './suite-grids.ts';

const caseResult = (name: string, samples: Record<string, number[]>): CaseResult => ({
  name,
  unit: 'µs CPU',
  contenders: Object.entries(samples).map(([contender, each]) => ({
    name: contender,
    samples: each,
    ...summarize(each),
  })),
  judgement: {
    verdict: 'met',
    judged: { median: 2, spread: 0 },
    interval: { low: 2, high: 2 },
    isCertain: true,
    isRatio: true,
    floor: '≥ 1',
    aim: '',
  },
});

const suiteResult = (parts: Partial<SuiteResult>): SuiteResult => ({
  name: 'suite',
  about: '',
  layout: 'lines',
  cases: [],
  profiles: [],
  seconds: 1,
  ...parts,
});

describe('suiteGrids', () => {
  it('shows a case with its verdict in one row, and a peer with its speed against the reference below', () => {
    const cases = [caseResult('page', { ours: [10], reference: [20], peer: [40] })];
    const [grid] = suiteGrids(suiteResult({ cases }));
    expect(grid?.rows).toEqual([
      ['page', '10.0 ±0% µs CPU', '20.0 ±0%', '2.00 (2.00–2.00)', '≥ 1', '', '✓ met'],
      ['  peer', '40.0 ±0% µs CPU', '', '0.500', '', '', ''],
    ]);
  });

  it('shows the interval of our own number when there is no ratio', () => {
    const measured = caseResult('start', { ours: [30, 31, 33] });
    const judgement = { judged: { median: 31, spread: 0 }, interval: { low: 30, high: 33 }, isRatio: false };
    const cases = [{ ...measured, judgement: { ...measured.judgement, ...judgement, floor: '≤ 40' } }];
    const [grid] = suiteGrids(suiteResult({ cases }));
    expect(grid?.rows).toEqual([['start', '31.0 (30.0–33.0) µs CPU', '', '', '≤ 40', '', '✓ met']]);
  });

  it('shows the speed of each contender against the reference, one grid for each set of contenders, when the layout is matrix', () => {
    const cases = [
      caseResult('tiny, JSON', { ours: [10, 20], reference: [20, 40], a: [40, 80] }),
      caseResult('tiny, XML', { ours: [10], reference: [10], b: [5] }),
      caseResult('big, JSON', { ours: [1], reference: [1], a: [2] }),
    ];
    const grids = suiteGrids(suiteResult({ layout: 'matrix', cases }));
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

  it('shows a column of layers for each profile, then the functions of each', () => {
    const profile = (name: string, share: number) => ({
      name,
      cost: 50,
      layers: [
        { layer: 'host', share },
        { layer: 'clock', share: 1 - share },
      ],
      functions: [{ name: '', source: 'packages/clock/src/page.ts', layer: 'clock', share: 0.2 }],
    });
    const grids = suiteGrids(suiteResult({ profiles: [profile('page', 0.25), profile('bean', 0.5)] }));
    expect(grids.map(({ rows }) => rows)).toEqual([
      [
        ['host', '25.0%', '50.0%'],
        ['clock', '75.0%', '50.0%'],
        ['all, µs CPU per request while the profiler runs', '50.0', '50.0'],
      ],
      [
        ['page', '', ''],
        ['  a function without a name', 'packages/clock/src/page.ts', '20.0%'],
        ['bean', '', ''],
        ['  a function without a name', 'packages/clock/src/page.ts', '20.0%'],
      ],
    ]);
  });
});
