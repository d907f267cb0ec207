import type { PointerOptions } from './json-pointer.ts';

/** An object with more values below it than these is shown once; where it comes again, a reference to its first place is. */
export const manyValues = 100;

/** How much a walk shows. */
export interface WalkOptions extends PointerOptions {
  /** How many containers deep. */
  readonly depth: number;
  /** How many entries of each container. */
  readonly limit: number;
  /** How many entries of the outermost container are passed over. */
  readonly from: number;
  /** How many UTF-16 units of each text. */
  readonly text: number;
}
