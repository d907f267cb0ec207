export interface ProberOptions {
  /** Resolves when the server answers; has its own time-out. */
  readonly probe: () => Promise<void>;
  /** Between two probes, in milliseconds. */
  readonly interval: number;
  /** After the first failure the server is suspect, after this many in a row it is taken for frozen. */
  readonly failures: number;
  readonly onSuspect: (reason: unknown) => void;
  readonly onWell: () => void;
  readonly onFrozen: (reason: unknown) => void;
}

/** Asks a server again and again whether it still answers: a frozen one does not end, so nothing else would tell. */
export class Prober {
  readonly #options: ProberOptions;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #running = false;
  #hurrying = false;
  #over = false;

  constructor(options: ProberOptions) {
    this.#options = options;
    this.#schedule(options.interval);
  }

  /** Somebody saw the server fail: looks at once. */
  hurry(): void {
    if (this.#running || this.#over || this.#hurrying) return;
    this.#hurrying = true;
    this.#schedule(0);
  }

  end(): void {
    this.#over = true;
    clearTimeout(this.#timer);
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), delay).unref();
  }

  async #look(): Promise<void> {
    this.#running = true;
    this.#hurrying = false;
    const failure = await this.#options.probe().then(
      () => undefined,
      (reason: unknown) => ({ reason }),
    );
    this.#running = false;
    if (this.#over) return;
    if (failure === undefined) this.#succeeded();
    else this.#failed(failure.reason);
  }

  #succeeded(): void {
    if (this.#failures > 0) this.#options.onWell();
    this.#failures = 0;
    this.#schedule(this.#options.interval);
  }

  #failed(reason: unknown): void {
    this.#failures++;
    if (this.#failures === 1) this.#options.onSuspect(reason);
    if (this.#failures < this.#options.failures) {
      this.#schedule(Math.min(this.#options.interval, 250));
      return;
    }
    this.end();
    this.#options.onFrozen(reason);
  }
}
