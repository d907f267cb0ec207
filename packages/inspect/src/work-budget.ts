/** Work may take this many times its budget while the process waits for a CPU. */
const maxWaitFactor = 5;

/** A budget of CPU time, in milliseconds, for synchronous work. Waiting for a CPU does not count, up to a limit. */
export class WorkBudget {
  readonly #milliseconds: number;
  readonly #usage = process.cpuUsage();
  /** When to check the CPU time again, by `performance.now()`. */
  #deadline: number;
  readonly #end: number;

  constructor(milliseconds: number) {
    const now = performance.now();
    this.#milliseconds = milliseconds;
    this.#deadline = now + milliseconds;
    this.#end = now + milliseconds * maxWaitFactor;
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
