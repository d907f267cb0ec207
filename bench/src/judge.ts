import type { GrowthTarget, Target } from './suite.ts';

export interface Summary {
  readonly median: number;
  /** Half the distance between the quartiles, as a fraction of the median. */
  readonly spread: number;
}

/** `undecided`: the median misses what is asked, and the interval does not exclude it, or there are too few samples for one. */
export type Verdict = 'aim' | 'met' | 'undecided' | 'short' | 'shown';

/** Where the true median lies, with a confidence of 95%. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface Judgement {
  readonly verdict: Verdict;
  /** What was judged: a ratio, or our sample itself. */
  readonly judged: Summary;
  readonly interval: Interval;
  /** Whether the interval leaves no doubt about what is asked; further rounds could only make it narrower. */
  readonly isCertain: boolean;
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

/** Judges by the median of the ratios of each round, because the speed of the machine drifts from round to round. Short is only what certainly is. */
export function judge(target: Target, ours: readonly number[], reference: readonly number[] | undefined): Judgement {
  if ('shown' in target) {
    const values = reference === undefined ? ours : ratios(reference, ours);
    const isRatio = reference !== undefined;
    const shown = { judged: summarize(values), interval: confidenceInterval(values) };
    return { verdict: 'shown', ...shown, isCertain: true, isRatio, floor: '', aim: '' };
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

const confidence = 0.95;
/** Of five, all lie on one side of the true median in 1 of 16 series. */
const fewestForConfidence = 6;

/**
 * The narrowest two samples, counted from both ends, between which the true median lies with a confidence of 95%: of n samples, k lie
 * below it with the probability of k heads in n throws of a coin. This assumes nothing about how the samples are distributed.
 * Fewer than six samples cannot be that certain; all of them lie in the interval then.
 */
export function confidenceInterval(samples: readonly number[]): Interval {
  const sorted = [...samples].sort((one, other) => one - other);
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (least === undefined || most === undefined) throw new Error('There are no samples to summarize.');
  const left = samplesLeftOut(sorted.length);
  return { low: sorted[left] ?? least, high: sorted[sorted.length - 1 - left] ?? most };
}

/** How many samples at each end an interval may leave out. */
function samplesLeftOut(count: number): number {
  let left = 0;
  // The true median lies outside with the probability that at most `left` of the samples are on one side of it, for either side.
  let outside = 2 * headsProbability(count, 0);
  for (;;) {
    outside += 2 * headsProbability(count, left + 1);
    if (1 - outside < confidence || 2 * (left + 1) >= count) return left;
    left += 1;
  }
}

/** The probability of exactly so many heads in so many throws of a coin. */
function headsProbability(throws: number, heads: number): number {
  let probability = 0.5 ** throws;
  for (let head = 1; head <= heads; head += 1) probability *= (throws - head + 1) / head;
  return probability;
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
  const interval = confidenceInterval(values);
  const reaches = (value: number, limit: number) => (sign === '≥' ? value >= limit : value <= limit);
  const [best, worst] = sign === '≥' ? [interval.high, interval.low] : [interval.low, interval.high];
  const isConfident = values.length >= fewestForConfidence;
  const isShort = isConfident && !reaches(best, floor);
  const isCertain = isShort || reaches(worst, floor);
  const missed = isShort ? 'short' : 'undecided';
  const verdict =
    aim !== undefined && reaches(judged.median, aim) ? 'aim' : reaches(judged.median, floor) ? 'met' : missed;
  const texts = { floor: `${sign} ${floor}`, aim: aim === undefined ? '' : `${sign} ${aim}` };
  return { verdict, judged, interval, isCertain, isRatio, ...texts };
}

/** The ratios of each round. */
export function ratios(numerators: readonly number[], denominators: readonly number[]): number[] {
  return numerators.map((value, round) => value / (denominators[round] ?? Number.NaN));
}

function costsPerUnit({ size, samples }: MeasuredPoint): number[] {
  return samples.map((sample) => sample / size);
}
