import type { SessionError } from './errors.ts';

export type StoreState = 'ready' | 'refuses writes' | 'unavailable';

const failuresThatOpen = 3;
/** Before a store in trouble is asked again, in milliseconds: first, and then at most. */
const firstPause = 250;
const longestPause = 2000;
/** A store that falls again this soon is left alone for longer each time, so that one that wavers does not fill the log. */
const relapse = 60_000;
const longestFirstPause = 16_000;
/** Writes that fail while the store is well otherwise do not make us ask more often than this. */
const shortestDoubt = 1000;

export interface StoreCircuitOptions {
  /** Asks the store for something small; rejects when it does not answer. */
  read(): Promise<unknown>;
  /** Stores something small and takes it away again; rejects when that is refused. */
  write(): Promise<unknown>;
  changed(from: StoreState, to: StoreState, failure?: SessionError): void;
}

/**
 * Opens after a few failures in a row: then nobody asks the store, so that pages stay fast and a store in trouble gets no further load.
 * One that only refuses writes, as on a full disk, is still read. A probe in the background, not a visitor, finds out what is the
 * matter and when it is well again: while some writes are refused, others may well succeed, so that no single one tells.
 */
export class StoreCircuit {
  readonly #options: StoreCircuitOptions;
  #state: StoreState = 'ready';
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #probing: Promise<void> | undefined;
  #probed = Number.NEGATIVE_INFINITY;
  #wellSince = Number.NEGATIVE_INFINITY;
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
    if (this.#failures >= failuresThatOpen && this.#state !== 'unavailable') this.#enter('unavailable', failure);
  }

  /** It may be the store or just this one write: a probe tells. */
  writeFailed(): void {
    if (this.#state !== 'ready' || this.#timer !== undefined) return;
    this.#probeAfter(Math.max(0, shortestDoubt - this.sinceProbe));
  }

  /** Finds out how the store is; callers at the same time share one probe. */
  probe(): Promise<void> {
    this.#probing ??= this.#look().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
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
    if (state === 'ready' && from !== 'ready') this.#wellSince = Date.now();
    if (state !== 'ready') this.#probeAfter(this.#nextPause(from));
    if (from !== state) this.#options.changed(from, state, failure);
  }

  #nextPause(from: StoreState): number {
    if (from === 'ready') {
      this.#relapses = Date.now() - this.#wellSince < relapse ? this.#relapses + 1 : 0;
      this.#pause = Math.min(firstPause * 2 ** this.#relapses, longestFirstPause);
    } else {
      this.#pause = Math.max(this.#pause, Math.min(this.#pause * 2, longestPause));
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
