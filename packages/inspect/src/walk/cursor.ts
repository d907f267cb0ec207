import type { Form } from './sink.ts';

/** Goes through the entries of one container, one at a time, so that a walk can pause between any two. */
export interface Cursor {
  readonly form: Form;
  /** The key of the entry it stands on; in a list, its index. */
  readonly key: string | number;
  readonly value: unknown;
  /** Moves to the next entry; false when there is none. Never throws. */
  next(): boolean;
  /** How many entries are left. */
  remaining(): number;
  /** Whether the container has an entry of this name, so that a marker can avoid it. */
  has(key: string): boolean;
  /** Lets go of what it holds when the walk ends early. */
  close?(): void;
}

/** Whether the value behind a key must not be read. */
export type Hides = (key: string) => boolean;
