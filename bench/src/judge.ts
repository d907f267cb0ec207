import type { Target } from './suite.ts';

export interface Summary {
  readonly median: number;
  /** Half the distance between the quartiles, as a fraction of the median. */
  readonly spread: number;
}

/** `undecided`: the median misses what is asked, and the interval does not exclude it, or there are too few samples for one. */
export type Verdict = 'met' | 'undecided' | 'short';

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
}

/** Judges by the median of the ratios of each round, because the speed of the machine drifts from round to round. Short is only what certainly is. */
export function judge(target: Target, ours: readonly number[], reference: readonly number[] | undefined): Judgement {
  if ('atMost' in target) return compare(ours, false, '≤', target.atMost);
  if (reference === undefined) throw new Error('A case with a ratio as its target needs a reference.');
  if ('speed' in target) return compare(ratios(reference, ours), true, '≥', target.speed);
  return compare(ratios(ours, reference), true, '≤', target.cost);
}

export function summarize(samples: readonly number[]): Summary {
  const middle = quantile(samples, 0.5);
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
export const fewestForConfidence = 6;

/**
 * The narrowest two samples, counted from both ends, between which the true median lies with a confidence of 95%: of n samples, k lie
 * below it with the probability of k heads in n throws of a coin. This assumes nothing about how the samples are distributed.
 * Fewer than six samples cannot be that certain; all of them lie in the interval then.
 */
export function confidenceInterval(samples: readonly number[]): Interval {
  const sorted = [...samples].sort((one, other) => one - other);
  const left = samplesLeftOut(sorted.length);
  const [low, high] = [sorted[left], sorted[sorted.length - 1 - left]];
  if (low === undefined || high === undefined) throw new Error('There are no samples to summarize.');
  return { low, high };
}

/** How many samples at each end an interval may leave out. */
function samplesLeftOut(count: number): number {
  let probability = 0.5 ** count;
  // The true median lies outside when at most `left` of the samples are on one side of it, for either side.
  let outside = 2 * probability;
  for (let left = 0; ; left += 1) {
    probability *= (count - left) / (left + 1);
    outside += 2 * probability;
    if (1 - outside < confidence) return left;
  }
}

function compare(values: readonly number[], isRatio: boolean, sign: '≥' | '≤', floor: number): Judgement {
  const judged = summarize(values);
  const interval = confidenceInterval(values);
  const reaches = (value: number) => (sign === '≥' ? value >= floor : value <= floor);
  const [best, worst] = sign === '≥' ? [interval.high, interval.low] : [interval.low, interval.high];
  const isShort = values.length >= fewestForConfidence && !reaches(best);
  const verdict = reaches(judged.median) ? 'met' : isShort ? 'short' : 'undecided';
  return { verdict, judged, interval, isCertain: isShort || reaches(worst), isRatio, floor: `${sign} ${floor}` };
}

/** The ratios of each round. */
function ratios(numerators: readonly number[], denominators: readonly number[]): number[] {
  return numerators.map((value, round) => value / (denominators[round] ?? Number.NaN));
}
