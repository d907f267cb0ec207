export interface RestartPolicyOptions {
  /** In milliseconds, doubled with every try. */
  readonly first?: number;
  readonly longest?: number;
  readonly tries?: number;
  /** A server that was well for this long has its failures forgotten. */
  readonly quiet?: number;
}

/** How long to wait before the next try to bring a server back, and when to give up. */
export class RestartPolicy {
  readonly #options: Required<RestartPolicyOptions>;
  #tries = 0;
  #wellSince: number | undefined;

  constructor(options: RestartPolicyOptions = {}) {
    this.#options = { first: 500, longest: 30_000, tries: 5, quiet: 60_000, ...options };
  }

  /** The pause before the next try in milliseconds; undefined when it is time to give up. */
  next(now = Date.now()): number | undefined {
    if (this.#wellSince !== undefined && now - this.#wellSince >= this.#options.quiet) this.#tries = 0;
    this.#wellSince = undefined;
    if (this.#tries === this.#options.tries) return undefined;
    return Math.min(this.#options.first * 2 ** this.#tries++, this.#options.longest);
  }

  /** For what is worth trying for ever, in milliseconds. */
  get longest(): number {
    return this.#options.longest;
  }

  well(now = Date.now()): void {
    this.#wellSince = now;
  }
}
