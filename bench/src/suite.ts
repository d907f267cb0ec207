import type { Growth } from './growth/curve.ts';
import type { ProfilePlan } from './profile/take-profile.ts';

/** Measurements that belong together; a folder of their own holds them. */
export interface Suite {
  readonly name: string;
  /** One sentence about what is compared with what. */
  readonly about: string;
  /** `matrix`: a column for each contender, to compare many with each other; otherwise a line for each. */
  readonly layout?: 'lines' | 'matrix';
  /** Starts what is measured. What it hands out is measured in the given order, then closed. */
  open(context: BenchContext): Promise<OpenSuite> | OpenSuite;
}

export interface OpenSuite {
  readonly cases?: readonly Case[];
  readonly growth?: Growth;
  readonly profiles?: readonly ProfilePlan[];
  close?(): Promise<void> | void;
}

export interface BenchContext {
  /** Shorter samples and fewer rounds: for trying out, not for quoting. */
  readonly quick: boolean;
  /** A temporary folder, removed at the end. */
  readonly folder: string;
}

/** One line of the table: ours, beside the reference and others who do the same, in the same rounds. */
export interface Case {
  readonly name: string;
  /** Of a sample, such as `µs CPU`. */
  readonly unit: string;
  readonly target: Target;
  readonly ours: Contender;
  readonly reference?: Contender;
  /** Others, shown for comparison and not judged, by name. */
  readonly peers?: Readonly<Record<string, Contender>>;
  /** For samples that take long; 7 otherwise, 3 when quick. */
  readonly rounds?: number;
  /** Samples of each that are thrown away beforehand; 1 otherwise. */
  readonly warmUps?: number;
}

/**
 * What is asked of a case.
 * `speed`: the reference's cost ÷ ours must be at least this. `cost`: ours ÷ the reference's must be at most this.
 * `atMost`: our sample itself must be at most this. Without any of them the number is only shown.
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
