import type { CurveResult } from '../growth/run-curve.ts';
import { sizeLabel } from '../growth/size-label.ts';
import type { GrowthResult } from '../run-suite.ts';
import type { Grid } from './grid.ts';
import { marks, number, ratio, withSpread } from './numbers.ts';

/** A line for each curve and a column for each size; below a curve that may be linear, what each unit costs. */
export function growthGrid({ axis, curves }: GrowthResult): Grid {
  const sizes = (curves[0]?.points ?? []).map(({ size }) => sizeLabel(size, axis));
  return {
    columns: [`${curves[0]?.unit ?? ''}, by ${axis.name}`, ...sizes, 'growth', 'asked', ''],
    rows: curves.flatMap((curve) => rowsOf(curve, axis.unit)),
  };
}

function rowsOf({ name, target, points, judgement }: CurveResult, unit: string): string[][] {
  const verdict = [ratio(judgement), judgement.floor, marks[judgement.verdict]];
  const costs = points.map(withSpread);
  if ('flat' in target) return [[name, ...costs, ...verdict]];
  const each = points.map(({ median, size }) => number(median / size));
  return [
    [name, ...costs, '', '', ''],
    [`  per ${unit}`, ...each, ...verdict],
  ];
}
