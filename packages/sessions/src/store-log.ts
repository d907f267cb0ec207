import type { SessionError } from './errors.ts';
import type { StoreState } from './store-circuit.ts';

/** What is logged of a store in trouble; pino's log, and so Fastify's, is one. */
export interface SessionLog {
  info(message: string): void;
  warn(details: object, message: string): void;
}

/** So many changes are logged at once, and then one in so many milliseconds. */
const burst = 4;
const interval = 10_000;

/** Logs how the store is whenever that has changed; if it wavers, only now and then. */
export class StoreLog {
  readonly #log: SessionLog;
  #logged: StoreState = 'ready';
  #state: StoreState = 'ready';
  #failure: SessionError | undefined;
  #allowance = burst;
  #allowanceSince = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: SessionLog) {
    this.#log = log;
  }

  changed(state: StoreState, failure: SessionError | undefined): void {
    this.#state = state;
    this.#failure = failure;
    if (this.#timer === undefined) this.#logChange();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #logChange(): void {
    if (this.#state === this.#logged) return;
    const now = performance.now();
    this.#allowance = Math.min(burst, this.#allowance + (now - this.#allowanceSince) / interval);
    this.#allowanceSince = now;
    if (this.#allowance < 1) {
      const later = () => {
        this.#timer = undefined;
        this.#logChange();
      };
      this.#timer = setTimeout(later, Math.ceil((1 - this.#allowance) * interval)).unref();
      return;
    }
    this.#allowance -= 1;
    const from = this.#logged;
    this.#logged = this.#state;
    this.#write(from, this.#state);
  }

  #write(from: StoreState, to: StoreState): void {
    if (to === 'ready') {
      this.#log.info(
        from === 'unavailable' ? 'the session store answers again' : 'the session store takes writes again',
      );
      return;
    }
    const reason: unknown = this.#failure?.cause ?? this.#failure;
    const why = reason instanceof Error ? reason.message : String(reason);
    const sentence =
      to === 'unavailable'
        ? 'the session store does not answer; going on without sessions until it does'
        : 'the session store refuses writes; sessions are read, but nothing is stored until it takes them again';
    this.#log.warn({ facts: { code: this.#failure?.code } }, `${sentence}: ${why}`);
  }
}
