import type { Crossing, Gap, RecordedValue } from './recorder.ts';
import { type Range, ranges, type Step } from './rings.ts';

/** What is known of a value in a range of time. */
export interface Summary {
  readonly range: Range;
  /** In milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
  /** Undefined where there was no value. */
  readonly steps: readonly (Step | undefined)[];
  /** Undefined where there was no value at all. */
  readonly total: Omit<Step, 'time'> | undefined;
  /** Those of the range, the oldest first. */
  readonly gaps: readonly Gap[];
  readonly crossings: readonly Crossing[];
}

/** A second or two without a value are not worth a word. */
const shortestGapMs = 3000;

export function summarize(
  { rings, gaps, crossings }: RecordedValue,
  range: Range,
  now: number,
  stepMs: number = ranges[range].drawnMs,
): Summary {
  const steps = rings.steps(range, now, stepMs);
  const from = (Math.floor(now / stepMs) + 1 - steps.length) * stepMs;
  const isInRange = ({ to = now }: Gap | Crossing) => to >= from;
  const isLong = ({ from: begun, to = now }: Gap) => to - begun >= shortestGapMs;
  return {
    range,
    from,
    to: now,
    stepMs,
    steps,
    total: totalOf(steps.filter((step) => step !== undefined)),
    gaps: gaps.filter((gap) => isInRange(gap) && isLong(gap)),
    crossings: crossings.filter(isInRange),
  };
}

function totalOf(steps: readonly Step[]): Summary['total'] {
  if (steps.length === 0) return undefined;
  let [min, max, sum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const step of steps) {
    min = Math.min(min, step.min);
    max = Math.max(max, step.max);
    sum += step.mean;
  }
  return { min, mean: sum / steps.length, max };
}

const isoTime = (time: number) => new Date(time).toISOString();

const interval = ({ from, to }: { readonly from: number; readonly to?: number }) => ({
  from: isoTime(from),
  ...(to === undefined ? {} : { to: isoTime(to) }),
});

/** A value as JSON tells it. */
export const toJson = ({ address, limits, now }: RecordedValue, { total, steps, gaps, crossings }: Summary) => ({
  ...address,
  ...now,
  ...limits,
  ...total,
  points: steps.flatMap((step) => (step === undefined ? [] : [{ ...step, time: isoTime(step.time) }])),
  gaps: gaps.map((gap) => ({ ...gap, ...interval(gap) })),
  crossings: crossings.map((crossing) => ({ ...crossing, ...interval(crossing) })),
});
