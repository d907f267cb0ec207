import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long to work before other work of the event loop runs, in milliseconds. */
const sliceMs = 8;

/** Work that leaves the event loop free again and again. */
export class Slices {
  #begun = performance.now();
  /** The longest time that nobody else had a turn. */
  longest = 0;
  /** The time of all slices that are over. */
  spent = 0;

  /** Waits for the next turn when this one has taken long enough. */
  async pause(): Promise<void> {
    if (this.#isDue()) await this.#next();
  }

  #isDue(): boolean {
    return performance.now() - this.#begun >= sliceMs;
  }

  async #next(): Promise<void> {
    const worked = performance.now() - this.#begun;
    this.longest = Math.max(this.longest, worked);
    this.spent += worked;
    await nextTurn();
    this.#begun = performance.now();
  }
}
