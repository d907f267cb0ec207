/**
 * What the clock of a server shows, as far as its answers tell: never more than it really does, so that a deadline by it comes early
 * rather than late. Moments of ours are those of `performance.now()`, which nobody sets.
 */
export class ServerClock {
  /** Between the two clocks, at least. */
  #offset: number | undefined;

  get isKnown(): boolean {
    return this.#offset !== undefined;
  }

  /** From what it showed at some moment between two of ours, in epoch milliseconds. Also notices when it has been set. */
  learn(shown: number, asked: number, answered: number): void {
    const [least, most] = [shown - answered, shown - asked];
    if (this.#offset === undefined || this.#offset < least || this.#offset > most) this.#offset = least;
  }

  /** What it shows at a moment of ours, in epoch milliseconds. */
  at(moment: number): number {
    return moment + (this.#offset ?? Number.NEGATIVE_INFINITY);
  }
}
