import type { SessionError } from './errors.ts';

export type StoreState = 'ready' | 'refuses writes' | 'unavailable';

const failureThreshold = 3;
/** Before a store in trouble is asked again, in milliseconds: first, and then at most. */
const firstPause = 250;
const maximumPause = 2000;
/** Failed writes alone do not cause probes more often than this. */
const minimumProbeInterval = 1000;

export interface StoreCircuitOptions {
  /** Asks the store for something small; rejects when it does not answer. */
  read(): Promise<unknown>;
  /** Stores something small and takes it away again; rejects when that is refused. */
  write(): Promise<unknown>;
  changed(state: StoreState, failure?: SessionError): void;
}

/**
 * Opens after a few failures in a row: then the store is not called, so that pages stay fast and a store in trouble gets no further load.
 * One that only refuses writes, as on a full disk, is still read. A probe in the background, not a visitor, finds out what is wrong and
 * when it is over: while some writes are refused others may succeed, so that the outcome of a single write proves nothing.
 */
export class StoreCircuit {
  readonly #options: StoreCircuitOptions;
  #state: StoreState = 'ready';
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #probing: Promise<void> | undefined;
  #probed = Number.NEGATIVE_INFINITY;
  #pause = firstPause;
  #isStopped = false;

  constructor(options: StoreCircuitOptions) {
    this.#options = options;
  }

  get state(): StoreState {
    return this.#state;
  }

  /** Since the last probe began, in milliseconds. */
  get sinceProbe(): number {
    return performance.now() - this.#probed;
  }

  readSucceeded(): void {
    this.#failures = 0;
  }

  readFailed(failure: SessionError): void {
    this.#failures += 1;
    if (this.#failures >= failureThreshold && this.#state !== 'unavailable') this.#enter('unavailable', failure);
  }

  /** It may be the store or just this one write: a probe tells. */
  writeFailed(): void {
    if (this.#state !== 'ready' || this.#timer !== undefined) return;
    this.#probeAfter(Math.max(0, minimumProbeInterval - this.sinceProbe));
  }

  /** Finds out how the store is; callers at the same time share one probe. */
  probe(): Promise<void> {
    this.#probing ??= this.#runProbe().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #runProbe(): Promise<void> {
    this.#probed = performance.now();
    let found: StoreState = 'unavailable';
    try {
      await this.#options.read();
      found = 'refuses writes';
      await this.#options.write();
      this.#enter('ready');
    } catch (error) {
      this.#enter(found, error as SessionError);
    }
  }

  #enter(state: StoreState, failure?: SessionError): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isStopped) return;
    const from = this.#state;
    this.#state = state;
    this.#failures = 0;
    if (state !== 'ready') {
      this.#pause = from === 'ready' ? firstPause : Math.min(this.#pause * 2, maximumPause);
      this.#probeAfter(this.#pause);
    }
    if (from !== state) this.#options.changed(state, failure);
  }

  #probeAfter(pause: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.probe();
    }, pause).unref();
  }
}
