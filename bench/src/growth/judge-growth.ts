import { type Judgement, judge } from '../judge.ts';
import { quantile } from '../statistics.ts';
import type { GrowthTarget } from './curve.ts';

export interface MeasuredPoint {
  readonly size: number;
  readonly samples: readonly number[];
}

/** Judges the largest size against a smaller one that was measured in the same rounds. */
export function judgeGrowth(target: GrowthTarget, points: readonly MeasuredPoint[]): Judgement {
  const [smallest, ...others] = points;
  const largest = others.at(-1);
  if (smallest === undefined || largest === undefined) throw new Error('Growth shows between two sizes or more.');
  if ('flat' in target) return judge({ cost: target.flat }, largest.samples, smallest.samples);
  const smaller = points.slice(0, -1).map(perUnit);
  const cheapest = smaller.reduce((least, each) => (median(each) < median(least) ? each : least));
  return judge({ cost: target.linear }, perUnit(largest), cheapest);
}

/** What each unit of the size costs. */
export function perUnit({ size, samples }: MeasuredPoint): number[] {
  return samples.map((sample) => sample / size);
}

const median = (samples: readonly number[]) => quantile(samples, 0.5);
