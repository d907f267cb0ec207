import type { PointerOptions } from './json-pointer.ts';

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
