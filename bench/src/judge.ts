import type { GrowthTarget, Target } from './suite.ts';

export interface Summary {
  readonly median: number;
  /** Half the distance between the quartiles, as a fraction of the median. */
  readonly spread: number;
}

export type Verdict = 'aim' | 'met' | 'short' | 'shown';

export interface Judgement {
  readonly verdict: Verdict;
  /** What was judged: a ratio, or our sample itself. */
  readonly judged: Summary;
  readonly isRatio: boolean;
  /** The target as text: `≥ 0.75`. */
  readonly floor: string;
  readonly aim: string;
}

/** The samples of one size of a curve. */
export interface MeasuredPoint {
  readonly size: number;
  readonly samples: readonly number[];
}

/** Judges by the median of the ratios of each round, because the speed of the machine drifts from round to round. */
export function judge(target: Target, ours: readonly number[], reference: readonly number[] | undefined): Judgement {
  if ('shown' in target) {
    const judged = summarize(reference === undefined ? ours : ratios(reference, ours));
    return { verdict: 'shown', judged, isRatio: reference !== undefined, floor: '', aim: '' };
  }
  if ('atMost' in target) return compare(ours, false, '≤', target.atMost, target.aim);
  if (reference === undefined) throw new Error('A case with a ratio as its target needs a reference.');
  if ('speed' in target) return compare(ratios(reference, ours), true, '≥', target.speed, target.aim);
  return compare(ratios(ours, reference), true, '≤', target.cost, target.aim);
}

/** Judges the largest size against a smaller one that was measured in the same rounds. */
export function judgeGrowth(target: GrowthTarget, points: readonly MeasuredPoint[]): Judgement {
  const [smallest, ...others] = points;
  const largest = others.at(-1);
  if (smallest === undefined || largest === undefined) throw new Error('A curve needs at least two sizes.');
  if ('flat' in target) return judge({ cost: target.flat }, largest.samples, smallest.samples);
  const smaller = points.slice(0, -1).map(costsPerUnit);
  const cheapest = smaller.reduce((least, each) => (median(each) < median(least) ? each : least));
  return judge({ cost: target.linear }, costsPerUnit(largest), cheapest);
}

export function summarize(samples: readonly number[]): Summary {
  const middle = median(samples);
  const halfDistance = (quantile(samples, 0.75) - quantile(samples, 0.25)) / 2;
  return { median: middle, spread: middle === 0 ? 0 : halfDistance / Math.abs(middle) };
}

/** Interpolates between two samples. */
export function quantile(samples: readonly number[], fraction: number): number {
  if (samples.length === 0) throw new Error('There are no samples to summarize.');
  const sorted = [...samples].sort((one, other) => one - other);
  const position = (sorted.length - 1) * fraction;
  const below = sorted[Math.floor(position)] ?? 0;
  const above = sorted[Math.ceil(position)] ?? below;
  return below + (above - below) * (position - Math.floor(position));
}

const median = (samples: readonly number[]) => quantile(samples, 0.5);

function compare(
  values: readonly number[],
  isRatio: boolean,
  sign: '≥' | '≤',
  floor: number,
  aim: number | undefined,
): Judgement {
  const judged = summarize(values);
  const reaches = (limit: number) => (sign === '≥' ? judged.median >= limit : judged.median <= limit);
  const verdict = aim !== undefined && reaches(aim) ? 'aim' : reaches(floor) ? 'met' : 'short';
  return { verdict, judged, isRatio, floor: `${sign} ${floor}`, aim: aim === undefined ? '' : `${sign} ${aim}` };
}

function ratios(numerators: readonly number[], denominators: readonly number[]): number[] {
  return numerators.map((value, round) => value / (denominators[round] ?? Number.NaN));
}

function costsPerUnit({ size, samples }: MeasuredPoint): number[] {
  return samples.map((sample) => sample / size);
}
