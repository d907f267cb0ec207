import type { Masking } from '../masking/masking.ts';

/** What a walk keeps to. */
export interface WalkOptions {
  /** How many containers deep. */
  readonly depth: number;
  /** How many entries of each container. */
  readonly limit: number;
  /** How many UTF-16 units of each text. */
  readonly text: number;
  readonly masking: Masking;
  /** Whether errors show their stack. */
  readonly stacks: boolean;
  /** Whether proxies are entered, which fires their traps. */
  readonly proxies: boolean;
  /** The JSON Pointer of the value within its bean. */
  readonly at: string;
}
