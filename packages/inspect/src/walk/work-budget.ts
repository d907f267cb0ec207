/** How many times the budget work takes at most, when the process has to wait. */
const mostWaiting = 5;

/** Milliseconds for work that is done in one go. What a busy machine keeps this process waiting comes on top, up to a bound. */
export class WorkBudget {
  readonly #milliseconds: number;
  readonly #usage = process.cpuUsage();
  /** By `performance.now()`: when to look how much of the budget is left, and when it ends in any case. */
  #deadline: number;
  readonly #end: number;

  constructor(milliseconds: number) {
    const now = performance.now();
    this.#milliseconds = milliseconds;
    this.#deadline = now + milliseconds;
    this.#end = now + milliseconds * mostWaiting;
  }

  isUsedUp(): boolean {
    const now = performance.now();
    if (now < this.#deadline) return false;
    const { user, system } = process.cpuUsage(this.#usage);
    const left = this.#milliseconds - (user + system) / 1000;
    if (left <= 0 || now >= this.#end) return true;
    this.#deadline = Math.min(now + left, this.#end);
    return false;
  }
}
