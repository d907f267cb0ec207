import type { Logger } from 'pino';
import { hostError } from '../errors.ts';
import { Deadlines } from './deadlines.ts';
import type { MergeOutcome, SessionAttributes, SessionLimits, SessionRecord, SessionStore } from './session-store.ts';
import { StoreCircuit } from './store-circuit.ts';

/** An id that is never given to anybody. */
const probeId = 'probe';

/** Any store, made safe to wait for: each call ends by the deadline, and each failure is `JIG_SESSION_STORE_UNAVAILABLE`. */
export class GuardedSessionStore implements SessionStore {
  readonly #store: SessionStore;
  readonly #deadlines: Deadlines;
  readonly #circuit: StoreCircuit;
  #failures = 0;

  constructor(
    store: SessionStore,
    { deadline, log }: { readonly deadline: number; readonly log: Pick<Logger, 'info' | 'warn'> },
  ) {
    this.#store = store;
    this.#deadlines = new Deadlines(deadline);
    this.#circuit = new StoreCircuit({
      probe: () => this.check(),
      opened: (err) => log.warn({ err }, 'the session store does not answer; going on without sessions until it does'),
      closed: () => log.info('the session store answers again'),
    });
  }

  get isAvailable(): boolean {
    return !this.#circuit.isOpen;
  }

  /** How many calls failed, came late, or were not made because the store was known to be down. */
  get failures(): number {
    return this.#failures;
  }

  read(id: string): Promise<SessionRecord | undefined> {
    return this.#call(() => this.#store.read(id));
  }

  merge(id: string, entries: SessionAttributes, limits: SessionLimits): Promise<MergeOutcome> {
    return this.#call(() => this.#store.merge(id, entries, limits));
  }

  touch(id: string): Promise<void> {
    return this.#call(() => this.#store.touch(id));
  }

  destroy(id: string): Promise<void> {
    return this.#call(() => this.#store.destroy(id));
  }

  count(): Promise<number> {
    return this.#call(() => this.#store.count());
  }

  /** Asks the store even while it is known to be down; rejects when it does not answer. */
  async check(): Promise<void> {
    await this.#ask(() => this.#store.read(probeId));
  }

  stop(): void {
    this.#circuit.stop();
  }

  #call<Result>(operation: () => Promise<Result>): Promise<Result> {
    if (!this.#circuit.isOpen) return this.#ask(operation);
    this.#failures += 1;
    return Promise.reject(unavailable('The session store is down.'));
  }

  #ask<Result>(operation: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const fail = (sentence: string, cause?: unknown) => {
        const failure = unavailable(sentence, cause);
        this.#failures += 1;
        this.#circuit.failed(failure);
        reject(failure);
      };
      const end = this.#deadlines.begin(() =>
        fail(`The session store did not answer within ${this.#deadlines.span} ms.`),
      );
      const succeed = (result: Result) => {
        if (!end()) return;
        this.#circuit.succeeded();
        resolve(result);
      };
      const refuse = (error: unknown) => {
        if (end()) fail('The session store failed.', error);
      };
      try {
        operation().then(succeed, refuse);
      } catch (error) {
        refuse(error);
      }
    });
  }
}

function unavailable(sentence: string, cause?: unknown) {
  return hostError('JIG_SESSION_STORE_UNAVAILABLE', sentence, { cause });
}
