export interface RestartPolicyOptions {
  /** In milliseconds, doubled with every try. */
  readonly initialDelay?: number;
  readonly maximumDelay?: number;
  readonly maximumRetries?: number;
}

/** Retries are counted anew after the server was ready for this long. */
const resetAfter = 60_000;

/** How long to wait before the next restart of a server, and when to give up. */
export class RestartPolicy {
  readonly #options: Required<RestartPolicyOptions>;
  #retries = 0;
  #readySince: number | undefined;

  constructor(options: RestartPolicyOptions = {}) {
    this.#options = { initialDelay: 500, maximumDelay: 30_000, maximumRetries: 5, ...options };
  }

  /** The pause before the next try in milliseconds; undefined when it is time to give up. */
  next(now = Date.now()): number | undefined {
    if (this.#readySince !== undefined && now - this.#readySince >= resetAfter) this.#retries = 0;
    this.#readySince = undefined;
    if (this.#retries === this.#options.maximumRetries) return undefined;
    return Math.min(this.#options.initialDelay * 2 ** this.#retries++, this.#options.maximumDelay);
  }

  /** The pause for failures that are retried without end, in milliseconds. */
  get maximumDelay(): number {
    return this.#options.maximumDelay;
  }

  markReady(now = Date.now()): void {
    this.#readySince = now;
  }
}
