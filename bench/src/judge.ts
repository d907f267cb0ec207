import { type Summary, summarize } from './statistics.ts';
import type { Target } from './suite.ts';

export type Verdict = 'aim' | 'met' | 'short' | 'shown';

export interface Judgement {
  readonly verdict: Verdict;
  /** What was judged: a ratio, or our sample itself. */
  readonly judged: Summary;
  readonly isRatio: boolean;
  /** What was asked, in words: `≥ 0.75`. */
  readonly floor: string;
  readonly aim: string;
}

/** Judges by the median of the rounds' own ratios, since a machine's speed drifts from round to round. */
export function judge(target: Target, ours: readonly number[], reference: readonly number[] | undefined): Judgement {
  if ('shown' in target) {
    const judged = summarize(reference === undefined ? ours : ratios(reference, ours));
    return { verdict: 'shown', judged, isRatio: reference !== undefined, floor: '', aim: '' };
  }
  if ('atMost' in target) return verdictOf(ours, false, '≤', target.atMost, target.aim);
  if (reference === undefined) throw new Error('A case that asks for a ratio needs a reference.');
  if ('speed' in target) return verdictOf(ratios(reference, ours), true, '≥', target.speed, target.aim);
  return verdictOf(ratios(ours, reference), true, '≤', target.cost, target.aim);
}

function verdictOf(
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

function ratios(above: readonly number[], below: readonly number[]): number[] {
  return above.map((value, round) => value / (below[round] ?? Number.NaN));
}
