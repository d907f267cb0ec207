import type { CurveResult, PointResult } from '../growth/run-curve.ts';
import { sizeLabel } from '../growth/size-label.ts';
import type { GrowthResult } from '../run-suite.ts';
import type { Chart, ChartLine } from './chart.ts';

/** What a growth looks like: costs by size; and, of those that may be linear, the costs of each unit, which are flat then. */
export function growthCharts(suite: string, { axis, curves }: GrowthResult): Chart[] {
  const [first] = curves;
  if (first === undefined) return [];
  const labels = first.points.map(({ size }) => ({ at: size, text: sizeLabel(size, axis) }));
  const horizontal = { name: axis.name, labels };
  const costs: Chart = {
    name: suite,
    title: `Cost of a request by ${axis.name}`,
    horizontal,
    vertical: { name: `${first.unit} of the server per request` },
    lines: [...curves.map((curve) => lineOf(curve, ({ median }) => median)), ...linearReference(curves)],
  };
  const linear = curves.filter(isLinear);
  if (linear.length === 0) return [costs];
  const each: Chart = {
    name: `${suite}-per-${axis.unit.toLowerCase()}`,
    title: `Cost of each ${axis.unit} by ${axis.name}`,
    horizontal,
    vertical: { name: `${first.unit} of the server per ${axis.unit}` },
    lines: linear.map((curve) => lineOf(curve, ({ median, size }) => median / size)),
  };
  return [costs, each];
}

function lineOf({ name, points }: CurveResult, cost: (point: PointResult) => number): ChartLine {
  return { name, points: points.map((point) => [point.size, cost(point)]) };
}

const isLinear = ({ target }: CurveResult) => 'linear' in target;

/** Through the last point of the first curve that may be linear, back to the smallest size or down to the least cost of all. */
function linearReference(curves: readonly CurveResult[]): ChartLine[] {
  const points = curves.find(isLinear)?.points ?? [];
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return [];
  const each = last.median / last.size;
  const least = Math.min(...curves.flatMap((curve) => curve.points.map(({ median }) => median)));
  const start = Math.max(first.size, least / each);
  return [
    {
      name: 'linear',
      points: [
        [start, start * each],
        [last.size, last.median],
      ],
      isReference: true,
    },
  ];
}
