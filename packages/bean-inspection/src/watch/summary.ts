import type { Crossing, RecordedValue } from './recorder.ts';
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
  readonly crossings: readonly Crossing[];
}

export function summarize(
  { rings, crossings }: RecordedValue,
  range: Range,
  now: number,
  stepMs: number = ranges[range].drawnMs,
): Summary {
  const steps = rings.steps(range, now, stepMs);
  const from = (Math.floor(now / stepMs) + 1 - steps.length) * stepMs;
  return {
    range,
    from,
    to: now,
    stepMs,
    steps,
    total: totalOf(steps.filter((step) => step !== undefined)),
    crossings: crossings.filter(({ to = now }) => to >= from),
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

/** A value as JSON tells it. */
export const toJson = ({ address, limits, now }: RecordedValue, { total, steps, crossings }: Summary) => ({
  ...address,
  ...now,
  ...limits,
  ...total,
  points: steps.flatMap((step) => (step === undefined ? [] : [{ ...step, time: isoTime(step.time) }])),
  crossings: crossings.map(({ from, to, ...crossing }) => ({
    ...crossing,
    from: isoTime(from),
    to: to === undefined ? undefined : isoTime(to),
  })),
});
