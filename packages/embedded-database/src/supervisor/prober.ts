export interface ProberOptions {
  /** Resolves when the server answers; has its own time-out. */
  readonly probe: () => Promise<void>;
  /** Between two probes, in milliseconds. */
  readonly interval: number;
  /** After one failure the server is unhealthy, after this many in a row it is considered frozen. */
  readonly failures: number;
  readonly onSuspect: (reason: unknown) => void;
  readonly onRecovered: () => void;
  readonly onFrozen: (reason: unknown) => void;
}

/** Probes a server at intervals: a frozen one does not exit, so nothing else would show it. */
export class Prober {
  readonly #options: ProberOptions;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #running = false;
  #isHurried = false;
  #isStopped = false;

  constructor(options: ProberOptions) {
    this.#options = options;
    this.#schedule(options.interval);
  }

  /** A caller saw the server fail: probe at once. */
  probeNow(): void {
    if (this.#running || this.#isStopped || this.#isHurried) return;
    this.#isHurried = true;
    this.#schedule(0);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#probe(), delay).unref();
  }

  async #probe(): Promise<void> {
    this.#running = true;
    this.#isHurried = false;
    const failure = await this.#options.probe().then(
      () => undefined,
      (reason: unknown) => ({ reason }),
    );
    this.#running = false;
    if (this.#isStopped) return;
    if (failure === undefined) this.#succeeded();
    else this.#failed(failure.reason);
  }

  #succeeded(): void {
    if (this.#failures > 0) this.#options.onRecovered();
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
    this.stop();
    this.#options.onFrozen(reason);
  }
}
