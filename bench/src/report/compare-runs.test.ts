import { describe, expect, it } from 'vitest';
import { judge, summarize } from '../judge.ts';
import type { SuiteResult } from '../run-suites.ts';
import { compareRuns, comparisonTable } from './compare-runs.ts';

const run = (samples: Record<string, number[]>, name = 'page'): SuiteResult[] => [
  {
    name: 'clock',
    about: '',
    layout: 'lines',
    profiles: [],
    seconds: 1,
    cases: [
      {
        name,
        unit: 'µs CPU',
        contenders: Object.entries(samples).map(([each, own]) => ({ name: each, samples: own, ...summarize(own) })),
        judgement: judge({ shown: true }, [1], undefined),
      },
    ],
  },
];

const steady = [100, 101, 99, 100, 102, 98];
const slower = steady.map((sample) => sample * 1.5);
const noisy = [100, 250, 60, 300, 90, 150];

describe('compareRuns', () => {
  it.each([
    ['same', steady],
    ['slower', slower],
    ['faster', steady.map((sample) => sample / 1.5)],
    ['same', noisy],
  ] as const)('says %s of ours as %j, when it was about 100', (verdict, ours) => {
    expect(compareRuns(run({ ours: steady }), run({ ours: [...ours] }))).toMatchObject([
      { name: 'clock/page', verdict },
    ]);
  });

  it('does not blame the change for a slower machine', () => {
    const [comparison] = compareRuns(
      run({ ours: steady, reference: steady }),
      run({ ours: slower, reference: slower, peer: [1] }),
    );
    expect(comparison).toMatchObject({ verdict: 'same', speed: 1 });
  });

  it('names cases that only one of the runs has', () => {
    expect(compareRuns(run({ ours: steady }), run({ ours: steady }, 'another'))).toEqual([
      { name: 'clock/another', verdict: 'only now' },
      { name: 'clock/page', verdict: 'only before' },
    ]);
  });
});

describe('comparisonTable', () => {
  it('has a row for each case that has changed, and the number of the others', () => {
    const comparisons = compareRuns(run({ ours: steady }), run({ ours: slower }));
    expect(comparisonTable(comparisons)).toBe(
      `| case | speed | |\n|---|---|---|\n| clock/page | 0.67 (0.64–0.69) | slower |\n\n0 of 1 cases are as fast as before, within a tenth or within the noise.`,
    );
  });

  it('has a row without a speed for each case that only one of the runs has, and does not count it', () => {
    const before = [...run({ ours: steady }), ...run({ ours: steady }, 'of Redis')];
    expect(comparisonTable(compareRuns(before, run({ ours: steady })))).toBe(
      `| case | speed | |\n|---|---|---|\n| clock/of Redis | | only before |\n\n1 of 1 cases are as fast as before, within a tenth or within the noise.`,
    );
  });
});
