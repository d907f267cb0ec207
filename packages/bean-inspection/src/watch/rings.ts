import type { Crossing, RecordedValue } from './recorder.ts';

/** What is kept of each value: how long, in steps of how many milliseconds, and in which steps it is drawn. */
export const ranges = {
  '5m': { title: '5 min', words: 'the last 5 minutes', stepMs: 1000, steps: 300, drawnMs: 5000 },
  '1h': { title: '1 h', words: 'the last hour', stepMs: 10_000, steps: 360, drawnMs: 60_000 },
  '24h': { title: '24 h', words: 'the last 24 hours', stepMs: 60_000, steps: 1440, drawnMs: 900_000 },
} as const;

export type Range = keyof typeof ranges;
export const rangeNames = Object.keys(ranges) as readonly Range[];

/** The values of one step of time. */
export interface Step {
  /** When it begins, in milliseconds since 1970. */
  readonly time: number;
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

/** The newest steps of a value; a step without a value holds `NaN`. */
class Ring {
  readonly #stepMs: number;
  readonly #steps: number;
  /** Minimum, mean and maximum of each step. */
  readonly #numbers: Float64Array;
  /** The number of the newest step, counted from 1970. */
  #last = Number.NEGATIVE_INFINITY;
  /** How many values the newest step has. */
  #count = 0;

  constructor({ stepMs, steps }: { readonly stepMs: number; readonly steps: number }) {
    this.#stepMs = stepMs;
    this.#steps = steps;
    this.#numbers = new Float64Array(3 * steps).fill(Number.NaN);
  }

  get bytes(): number {
    return this.#numbers.byteLength;
  }

  add(time: number, value: number): void {
    const step = Math.floor(time / this.#stepMs);
    if (step !== this.#last) this.#moveTo(step);
    const place = this.#place(step);
    const numbers = this.#numbers;
    const count = ++this.#count;
    if (count === 1) {
      numbers[place] = numbers[place + 1] = numbers[place + 2] = value;
      return;
    }
    const mean = numbers[place + 1] ?? value;
    numbers[place + 1] = mean + (value - mean) / count;
    if (value < (numbers[place] ?? value)) numbers[place] = value;
    if (value > (numbers[place + 2] ?? value)) numbers[place + 2] = value;
  }

  /** Steps that were passed over have no values; nor have those that are still to come, where the clock was set back. */
  #moveTo(step: number): void {
    const last = this.#last;
    this.#last = step;
    this.#count = 0;
    // Most follow the one before, and are written at once; and the first finds all empty.
    if (step === last + 1 || last === Number.NEGATIVE_INFINITY) return;
    const isBack = step < last;
    const first = isBack ? step : Math.max(last + 1, step - this.#steps + 1);
    const end = isBack ? Math.min(last, step + this.#steps - 1) : step;
    for (let each = first; each <= end; each++) {
      const place = this.#place(each);
      this.#numbers.fill(Number.NaN, place, place + 3);
    }
  }

  #place(step: number): number {
    return 3 * (step % this.#steps);
  }

  read(now: number, drawnMs: number): readonly (Step | undefined)[] {
    const each = drawnMs / this.#stepMs;
    const end = Math.floor(now / drawnMs) + 1;
    return Array.from({ length: this.#steps / each }, (_, index) => {
      const drawn = end - this.#steps / each + index;
      return this.#sum(drawn * each, each, drawn * drawnMs);
    });
  }

  #sum(first: number, count: number, time: number): Step | undefined {
    let [min, max, sum, found] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
    for (let step = first; step < first + count; step++) {
      if (step > this.#last || step <= this.#last - this.#steps) continue;
      const place = this.#place(step);
      const mean = this.#numbers[place + 1] ?? Number.NaN;
      if (Number.isNaN(mean)) continue;
      min = Math.min(min, this.#numbers[place] ?? mean);
      max = Math.max(max, this.#numbers[place + 2] ?? mean);
      sum += mean;
      found++;
    }
    return found === 0 ? undefined : { time, min, mean: sum / found, max };
  }
}

/** One value over time: each second, each ten seconds and each minute, in memory of a fixed size. */
export class Rings {
  readonly #seconds = new Ring(ranges['5m']);
  readonly #tens = new Ring(ranges['1h']);
  readonly #minutes = new Ring(ranges['24h']);
  readonly #rings = { '5m': this.#seconds, '1h': this.#tens, '24h': this.#minutes };

  get bytes(): number {
    return rangeNames.reduce((sum, name) => sum + this.#rings[name].bytes, 0);
  }

  add(time: number, value: number): void {
    this.#seconds.add(time, value);
    this.#tens.add(time, value);
    this.#minutes.add(time, value);
  }

  /** All of a range up to now in equal steps, the last of which has just begun; undefined for one without a value. At most 96, unless other steps are asked for. */
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

/** A value as JSON. */
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
