import { describe, expect, it } from 'vitest';
import type { CurveResult } from '../rows.ts';
import type { GrowthTarget } from '../suite.ts';
import { growthCharts } from './growth-charts.ts';

const curve = (name: string, target: GrowthTarget, costs: readonly number[]): CurveResult => ({
  name,
  unit: 'µs CPU',
  target,
  points: costs.map((median, index) => ({ size: 10 ** index / 100, samples: [median], median, spread: 0 })),
  judgement: {
    verdict: 'met',
    judged: { median: 1, spread: 0 },
    interval: { low: 1, high: 1 },
    isCertain: true,
    isRatio: true,
    floor: '',
    aim: '',
  },
});
const axis = { name: 'size of the bean', unit: 'MB' };

describe('growthCharts', () => {
  it('draws one chart with labelled sizes when all curves are flat', () => {
    const [chart, ...others] = growthCharts('growth', { axis, curves: [curve('page', { flat: 1.3 }, [50, 51, 52])] });
    expect(others).toEqual([]);
    expect(chart?.horizontal.labels.map(({ text }) => text)).toEqual(['10 KB', '100 KB', '1 MB']);
    expect(chart?.lines).toEqual([
      {
        name: 'page',
        points: [
          [0.01, 50],
          [0.1, 51],
          [1, 52],
        ],
      },
    ]);
  });

  it('adds a linear reference line and a chart of the costs per unit when a curve may be linear', () => {
    const curves = [curve('JSON', { linear: 1.3 }, [10, 40, 400]), curve('page', { flat: 1.3 }, [50, 51, 52])];
    const [costs, each] = growthCharts('growth', { axis, curves });
    expect(costs?.lines.at(-1)).toEqual({
      name: 'linear',
      points: [
        [0.025, 10],
        [1, 400],
      ],
      isReference: true,
    });
    expect(each?.name).toBe('growth-per-mb');
    expect(each?.lines).toEqual([
      {
        name: 'JSON',
        points: [
          [0.01, 1000],
          [0.1, 400],
          [1, 400],
        ],
      },
    ]);
  });

  it('draws nothing when there are no curves', () => {
    expect(growthCharts('growth', { axis, curves: [] })).toEqual([]);
  });
});
