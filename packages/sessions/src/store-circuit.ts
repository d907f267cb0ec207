import type { SessionError } from './errors.ts';

export type StoreState = 'ready' | 'refuses writes' | 'unavailable';

const failureThreshold = 3;
/** Before a store in trouble is asked again, in milliseconds: first, and then at most. */
const firstPause = 250;
const maximumPause = 2000;
/** A store that fails again within this time is left alone for longer each time, so that an unstable one does not fill the log. */
const relapseWindow = 60_000;
const maximumFirstPause = 16_000;
/** Failed writes alone do not cause probes more often than this. */
const minimumProbeInterval = 1000;

export interface StoreCircuitOptions {
  /** Asks the store for something small; rejects when it does not answer. */
  read(): Promise<unknown>;
  /** Stores something small and takes it away again; rejects when that is refused. */
  write(): Promise<unknown>;
  changed(from: StoreState, to: StoreState, failure?: SessionError): void;
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
  #readySince = Number.NEGATIVE_INFINITY;
  #relapses = 0;
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
    return Date.now() - this.#probed;
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
    this.#probed = Date.now();
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
    if (state === 'ready' && from !== 'ready') this.#readySince = Date.now();
    if (state !== 'ready') this.#probeAfter(this.#nextPause(from));
    if (from !== state) this.#options.changed(from, state, failure);
  }

  #nextPause(from: StoreState): number {
    if (from === 'ready') {
      this.#relapses = Date.now() - this.#readySince < relapseWindow ? this.#relapses + 1 : 0;
      this.#pause = Math.min(firstPause * 2 ** this.#relapses, maximumFirstPause);
    } else {
      this.#pause = Math.max(this.#pause, Math.min(this.#pause * 2, maximumPause));
    }
    return this.#pause;
  }

  #probeAfter(pause: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.probe();
    }, pause).unref();
  }
}
