import type { Crossing, RecordedValue } from './recorder.ts';

/** The recordings of each value: `steps` steps of `stepMs`, which a page combines to steps of `drawnMs`. */
export const ranges = {
  '5m': { title: '5 min', words: 'the last 5 minutes', stepMs: 1000, steps: 300, drawnMs: 5000 },
  '1h': { title: '1 h', words: 'the last hour', stepMs: 10_000, steps: 360, drawnMs: 60_000 },
  '24h': { title: '24 h', words: 'the last 24 hours', stepMs: 60_000, steps: 1440, drawnMs: 900_000 },
} as const;

export type Range = keyof typeof ranges;
export const rangeNames = Object.keys(ranges) as readonly Range[];

interface Total {
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

/** The values of one step of time. */
export interface Step extends Total {
  /** When it begins, in milliseconds since 1970. */
  readonly time: number;
}

/** The numbers that a ring keeps of each step: its number, then count, minimum, maximum and sum of its values. */
const fields = 5;

/** A ring buffer of the newest steps of a value. Until a step has a value, its place holds the numbers of an earlier one. */
class Ring {
  readonly #stepMs: number;
  readonly #steps: number;
  readonly numbers: Float64Array;

  constructor({ stepMs, steps }: { readonly stepMs: number; readonly steps: number }) {
    this.#stepMs = stepMs;
    this.#steps = steps;
    this.numbers = new Float64Array(fields * steps);
  }

  /** The numbers in the place of a step; steps are counted from 1970. */
  #numbersAt(step: number): Float64Array {
    const place = fields * (step % this.#steps);
    return this.numbers.subarray(place, place + fields);
  }

  add(time: number, value: number): void {
    const step = Math.floor(time / this.#stepMs);
    const numbers = this.#numbersAt(step);
    if (numbers[0] !== step) numbers.set([step, 0, value, value, 0]);
    const [, count = 0, min = value, max = value, sum = 0] = numbers;
    numbers.set([step, count + 1, Math.min(min, value), Math.max(max, value), sum + value]);
  }

  read(now: number, drawnMs: number): readonly (Step | undefined)[] {
    const perDrawn = drawnMs / this.#stepMs;
    const count = this.#steps / perDrawn;
    const first = Math.floor(now / drawnMs) + 1 - count;
    return Array.from({ length: count }, (_, index) => {
      const drawn = first + index;
      const total = totalOf(Array.from({ length: perDrawn }, (_none, offset) => this.#step(drawn * perDrawn + offset)));
      return total && { time: drawn * drawnMs, ...total };
    });
  }

  #step(step: number): Total | undefined {
    const [found, count = 0, min = 0, max = 0, sum = 0] = this.#numbersAt(step);
    return found === step ? { min, mean: sum / count, max } : undefined;
  }
}

/** One value over time: each second, each ten seconds and each minute, in memory of a fixed size. */
export class Rings {
  readonly #rings = { '5m': new Ring(ranges['5m']), '1h': new Ring(ranges['1h']), '24h': new Ring(ranges['24h']) };

  get bytes(): number {
    return rangeNames.reduce((sum, name) => sum + this.#rings[name].numbers.byteLength, 0);
  }

  add(time: number, value: number): void {
    for (const name of rangeNames) this.#rings[name].add(time, value);
  }

  /** A range up to now in equal steps, by default at most 96; undefined for a step without a value. The last step may still go on. */
  steps(range: Range, now: number, stepMs: number = ranges[range].drawnMs): readonly (Step | undefined)[] {
    return this.#rings[range].read(now, stepMs);
  }
}

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
  readonly total: Total | undefined;
  /** The crossings in the range, the oldest first. */
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
    total: totalOf(steps),
    crossings: crossings.filter(({ to = now }) => to >= from),
  };
}

function totalOf(all: readonly (Total | undefined)[]): Total | undefined {
  const steps = all.filter((step) => step !== undefined);
  if (steps.length === 0) return undefined;
  return {
    min: Math.min(...steps.map(({ min }) => min)),
    mean: steps.reduce((sum, { mean }) => sum + mean, 0) / steps.length,
    max: Math.max(...steps.map(({ max }) => max)),
  };
}

const isoTime = (time: number) => new Date(time).toISOString();

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
