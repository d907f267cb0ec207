import type { Contender } from '../suite.ts';

/** How costs grow with one thing, such as the number of sessions. */
export interface Growth {
  readonly axis: Axis;
  readonly curves: readonly Curve[];
}

export interface Axis {
  /** What grows: `sessions held`. */
  readonly name: string;
  /** What is counted: `session`, or `MB` for sizes. */
  readonly unit: string;
}

/** What one kind of request costs at each size. */
export interface Curve {
  readonly name: string;
  /** Of a sample, such as `µs CPU`. */
  readonly unit: string;
  readonly target: GrowthTarget;
  /** The smallest first. */
  readonly points: readonly CurvePoint[];
}

export interface CurvePoint {
  /** In the units of the axis. */
  readonly size: number;
  readonly cost: Contender;
}

/**
 * What is asked of a curve.
 * `flat`: the cost at the largest size ÷ that at the smallest must be at most this.
 * `linear`: the cost of each unit at the largest size ÷ the least such cost at any smaller one must be at most this.
 */
export type GrowthTarget = { readonly flat: number } | { readonly linear: number };

/** Half as much again, from the smallest size to one that is thousands of times larger: what memory and its caches may add, and no more. */
const most = 1.5;

export const flat: GrowthTarget = { flat: most };
export const linear: GrowthTarget = { linear: most };
