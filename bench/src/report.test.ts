import { describe, expect, it } from 'vitest';
import { judge, summarize } from './judge.ts';
import { benchmarksPage, suiteSection } from './report.ts';
import type { RowResult } from './rows.ts';
import type { Target } from './suite.ts';

const row = (name: string, target: Target, samples: Record<string, number[]>): RowResult => ({
  name,
  unit: 'ms',
  contenders: Object.entries(samples).map(([each, own]) => ({ name: each, samples: own, ...summarize(own) })),
  judgement: judge(target, samples.ours ?? [], samples.reference),
});

const result = {
  name: 'clock',
  about: 'About it.',
  rows: [
    row('page', { speed: 1 }, { ours: [10], reference: [20], peer: [40] }),
    row('start', { atMost: 40 }, { ours: [30, 31, 33] }),
  ],
};
const cells = (text: string) =>
  text.split('\n').flatMap((line) => (line.startsWith('|') ? [line.replace(/ +/g, ' ')] : []));

describe('suiteSection', () => {
  it('has a line for each case, with its ratio or the interval of its own number, and one for each peer below', () => {
    expect(cells(suiteSection(result)).slice(2)).toEqual([
      '| page | 10.0 ±0% ms | 20.0 ±0% | 2.00 (2.00–2.00) | ≥ 1 ✓ |',
      '| *peer* | 40.0 ±0% ms | | 0.50 | |',
      '| start | 31.0 (30.0–33.0) ms | | | ≤ 40 ✓ |',
    ]);
  });

  it('reports why a suite could not be measured, with what was measured', () => {
    expect(suiteSection({ ...result, problem: 'the server has gone' })).toMatch(/✓ +\|\n\nIt could not.*has gone\n$/s);
  });
});

describe('benchmarksPage', () => {
  it('has the machine and a section for each suite', () => {
    const page = benchmarksPage('## Machine\n\nSmall.\n', [result, { ...result, name: 'other' }]);
    expect(page.match(/^##? .*/gm)).toEqual(['# Benchmarks', '## Machine', '## clock', '## other']);
  });
});
