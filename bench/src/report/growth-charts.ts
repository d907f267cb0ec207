import type { CurveResult, PointResult } from '../rows.ts';
import type { GrowthResult } from '../run-suites.ts';
import type { Chart, ChartLine } from './draw-chart.ts';
import { sizeLabel } from './suite-grids.ts';

/** A chart of the costs by size; and, for curves that may be linear, one of the costs per unit, which are flat if they are. */
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
  const costsPerUnit: Chart = {
    name: `${suite}-per-${axis.unit.toLowerCase()}`,
    title: `Cost of each ${axis.unit} by ${axis.name}`,
    horizontal,
    vertical: { name: `${first.unit} of the server per ${axis.unit}` },
    lines: linear.map((curve) => lineOf(curve, ({ median, size }) => median / size)),
  };
  return [costs, costsPerUnit];
}

function lineOf({ name, points }: CurveResult, cost: (point: PointResult) => number): ChartLine {
  return { name, points: points.map((point) => [point.size, cost(point)]) };
}

const isLinear = ({ target }: CurveResult) => 'linear' in target;

/** Through the last point of the first curve that may be linear, back to the smallest size or down to the lowest cost of all. */
function linearReference(curves: readonly CurveResult[]): ChartLine[] {
  const points = curves.find(isLinear)?.points ?? [];
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return [];
  const costPerUnit = last.median / last.size;
  const lowest = Math.min(...curves.flatMap((curve) => curve.points.map(({ median }) => median)));
  const start = Math.max(first.size, lowest / costPerUnit);
  return [
    {
      name: 'linear',
      points: [
        [start, start * costPerUnit],
        [last.size, last.median],
      ],
      isReference: true,
    },
  ];
}
