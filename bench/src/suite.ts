/** Measurements that belong together: one table of the page. */
export interface Suite {
  readonly name: string;
  /** One or two sentences: what is compared with what. */
  readonly about: string;
  /** Starts what is measured and gives the cases, which are measured in this order. */
  open(context: BenchContext): Promise<readonly Case[]> | readonly Case[];
}

export interface BenchContext {
  /** Shorter samples and fewer rounds: to try something out, not to quote. */
  readonly quick: boolean;
  /** A temporary folder, removed at the end. */
  readonly folder: string;
  /** What a suite has started ends when the suite is done, or when it fails half-way; the last one first. */
  readonly onClose: (stop: () => unknown) => void;
}

/** One row of the table: ours, the reference and other packages, measured in the same rounds. */
export interface Case {
  readonly name: string;
  /** The unit of a sample. Default: `µs CPU`. */
  readonly unit?: string;
  readonly target: Target;
  readonly ours: Contender;
  readonly reference?: Contender;
  /** Other packages by name, shown for comparison and not judged. */
  readonly peers?: Readonly<Record<string, Contender>>;
  /** How many are taken before it is looked whether the target is met. Default: 6. Fewer for samples that take long. */
  readonly rounds?: number;
  /** How many samples of each contender are discarded before the first round. Default: 1. */
  readonly warmUps?: number;
}

/**
 * What a case has to reach.
 * `speed`: the cost of the reference ÷ ours is at least this. `cost`: ours ÷ the reference is at most this.
 * `atMost`: our sample itself is at most this.
 */
export type Target = { readonly speed: number } | { readonly cost: number } | { readonly atMost: number };

/** Takes one sample of what something costs: less is better. */
export type Contender = () => Promise<number> | number;
