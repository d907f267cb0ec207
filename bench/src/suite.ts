/** Measurements that belong together. */
export interface Suite {
  readonly name: string;
  /** One or two sentences: what is compared with what. */
  readonly about: string;
  /** `matrix`: a column for each contender, to compare many with each other. `lines`, the default: a row for each. */
  readonly layout?: 'lines' | 'matrix';
  /** Starts what is measured. Everything in the result is measured in the given order; then it is closed. */
  open(context: BenchContext): Promise<OpenSuite> | OpenSuite;
}

export interface OpenSuite {
  readonly cases?: readonly Case[];
  readonly growth?: Growth;
  readonly profiles?: readonly Profile[];
  close?(): Promise<void> | void;
}

export interface BenchContext {
  /** Shorter samples and fewer rounds: to try something out, not to quote. */
  readonly quick: boolean;
  /** A temporary folder, removed at the end. */
  readonly folder: string;
}

/** One row of the table: ours, the reference and other packages, measured in the same rounds. */
export interface Case {
  readonly name: string;
  /** The unit of a sample, such as `µs CPU`. */
  readonly unit: string;
  readonly target: Target;
  readonly ours: Contender;
  readonly reference?: Contender;
  /** Other packages by name, shown for comparison and not judged. */
  readonly peers?: Readonly<Record<string, Contender>>;
  /** How many are taken before it is looked whether the target is met. Default: 6; 4 when it is only shown; 3 when quick. Fewer for samples that take long. */
  readonly rounds?: number;
  /** How many samples of each contender are discarded before the first round. Default: 1. */
  readonly warmUps?: number;
}

/**
 * What a case has to reach.
 * `speed`: the cost of the reference ÷ ours is at least this. `cost`: ours ÷ the reference is at most this.
 * `atMost`: our sample itself is at most this. `shown`: nothing, the number is only shown.
 */
export type Target =
  | { readonly speed: number; readonly aim?: number }
  | { readonly cost: number; readonly aim?: number }
  | { readonly atMost: number; readonly aim?: number }
  | { readonly shown: true };

/** Takes one sample of what something costs: less is better. */
export interface Contender {
  sample(): Promise<number> | number;
}

/** How costs grow with one quantity, such as the number of sessions. */
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
  /** The unit of a sample, such as `µs CPU`. */
  readonly unit: string;
  readonly target: GrowthTarget;
  /** The smallest size first. */
  readonly points: readonly CurvePoint[];
  /** As in a case. Default: 6. */
  readonly rounds?: number;
  /** As in a case. Default: 1. */
  readonly warmUps?: number;
}

export interface CurvePoint {
  /** In units of the axis. */
  readonly size: number;
  readonly cost: Contender;
}

/**
 * What a curve has to reach.
 * `flat`: the cost at the largest size ÷ the cost at the smallest size is at most this.
 * `linear`: the cost per unit at the largest size ÷ the lowest cost per unit at any smaller size is at most this.
 */
export type GrowthTarget = { readonly flat: number } | { readonly linear: number };

/** One kind of request whose CPU time is split by layer and by function. */
export interface Profile {
  readonly name: string;
  take(): Promise<ProfileShares>;
}

export interface ProfileShares {
  /** CPU time of the process per request, in µs, while the profiler runs. */
  readonly cost: number;
  /** All layers, in the same order in every profile. */
  readonly layers: readonly LayerShare[];
  /** The most expensive functions, the most expensive one first. */
  readonly functions: readonly FunctionShare[];
}

export interface LayerShare {
  readonly layer: string;
  /** Of all samples in which the process was not idle: 0 to 1. */
  readonly share: number;
}

export interface FunctionShare extends LayerShare {
  readonly name: string;
  readonly source: string;
}
