import type { SessionError } from './errors.ts';

const failuresThatOpen = 3;
const firstPause = 250;
const longestPause = 2000;

export interface StoreCircuitOptions {
  /** Asks the store for something small; rejects when it does not answer. */
  probe(): Promise<unknown>;
  opened(failure: SessionError): void;
  closed(): void;
}

/**
 * Opens after a few failures in a row: then nobody asks the store, so that pages stay fast and a store in trouble gets no further load.
 * A probe in the background, not a visitor, finds out when it is well again.
 */
export class StoreCircuit {
  readonly #options: StoreCircuitOptions;
  #failures = 0;
  #probing: NodeJS.Timeout | undefined;

  constructor(options: StoreCircuitOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#probing !== undefined;
  }

  succeeded(): void {
    this.#failures = 0;
    if (!this.isOpen) return;
    this.stop();
    this.#options.closed();
  }

  failed(failure: SessionError): void {
    this.#failures += 1;
    if (this.isOpen || this.#failures < failuresThatOpen) return;
    this.#probeAfter(firstPause);
    this.#options.opened(failure);
  }

  stop(): void {
    clearTimeout(this.#probing);
    this.#probing = undefined;
  }

  #probeAfter(pause: number): void {
    this.#probing = setTimeout(() => void this.#probe(pause), pause).unref();
  }

  async #probe(pause: number): Promise<void> {
    try {
      await this.#options.probe();
      this.succeeded();
    } catch {
      if (this.isOpen) this.#probeAfter(Math.min(pause * 2, longestPause));
    }
  }
}
