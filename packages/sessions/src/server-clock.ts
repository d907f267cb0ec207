/**
 * Estimates the clock of a server from its answers. The estimate is never ahead of the real clock, so deadlines are early rather than late.
 * Our own times are those of `performance.now()`, which cannot be set.
 */
export class ServerClock {
  /** The lower bound of the server's time minus ours. */
  #offset: number | undefined;

  get isKnown(): boolean {
    return this.#offset !== undefined;
  }

  /**
   * Updates the estimate, also when the server's clock has been set.
   * @param serverTime in epoch milliseconds, read between the two other times
   */
  learn(serverTime: number, asked: number, answered: number): void {
    const [minimum, maximum] = [serverTime - answered, serverTime - asked];
    if (this.#offset === undefined || this.#offset < minimum || this.#offset > maximum) this.#offset = minimum;
  }

  /** The server's time at one of our times, in epoch milliseconds. */
  at(time: number): number {
    return time + (this.#offset ?? Number.NEGATIVE_INFINITY);
  }
}
