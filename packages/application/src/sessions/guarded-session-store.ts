import type { Logger } from 'pino';
import { hostError } from '../errors.ts';
import type { MergeOutcome, SessionAttributes, SessionLimits, SessionRecord, SessionStore } from './session-store.ts';
import { StoreCircuit } from './store-circuit.ts';

/** An id that is never given to anybody. */
const probeId = 'probe';

/** Any store, made safe to wait for: each call ends by the deadline, and each failure is `JIG_SESSION_STORE_UNAVAILABLE`. */
export class GuardedSessionStore implements SessionStore {
  readonly #store: SessionStore;
  readonly #deadline: number;
  readonly #circuit: StoreCircuit;
  #failures = 0;

  constructor(
    store: SessionStore,
    { deadline, log }: { readonly deadline: number; readonly log: Pick<Logger, 'info' | 'warn'> },
  ) {
    this.#store = store;
    this.#deadline = deadline;
    this.#circuit = new StoreCircuit({
      probe: () => this.#withinDeadline(async () => store.read(probeId)),
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
    return this.#call(async () => this.#store.read(id));
  }

  merge(id: string, entries: SessionAttributes, limits: SessionLimits): Promise<MergeOutcome> {
    return this.#call(async () => this.#store.merge(id, entries, limits));
  }

  touch(id: string): Promise<void> {
    return this.#call(async () => this.#store.touch(id));
  }

  destroy(id: string): Promise<void> {
    return this.#call(async () => this.#store.destroy(id));
  }

  count(): Promise<number> {
    return this.#call(async () => this.#store.count());
  }

  /** Rejects when the store does not answer now, whatever is known of it. */
  async check(): Promise<void> {
    await this.#withinDeadline(async () => this.#store.read(probeId));
    this.#circuit.succeeded();
  }

  stop(): void {
    this.#circuit.stop();
  }

  async #call<Result>(operation: () => Promise<Result>): Promise<Result> {
    try {
      if (this.#circuit.isOpen) throw unavailable('The session store is down.');
      const result = await this.#withinDeadline(operation);
      this.#circuit.succeeded();
      return result;
    } catch (error) {
      this.#failures += 1;
      this.#circuit.failed(error);
      throw error;
    }
  }

  #withinDeadline<Result>(operation: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const late = () => reject(unavailable(`The session store did not answer within ${this.#deadline} ms.`));
      // After a stall of this process the answer may be waiting in the socket: one turn of the loop lets it come first.
      const timer = setTimeout(() => setImmediate(late), this.#deadline);
      const settle = (settled: () => void) => {
        clearTimeout(timer);
        settled();
      };
      operation().then(
        (result) => settle(() => resolve(result)),
        (error: unknown) => settle(() => reject(unavailable('The session store failed.', error))),
      );
    });
  }
}

function unavailable(sentence: string, cause?: unknown) {
  return hostError('JIG_SESSION_STORE_UNAVAILABLE', sentence, { cause });
}
