import type { Awaitable } from './awaitable.ts';
import { Deadlines } from './deadlines.ts';
import { SessionError } from './errors.ts';
import type { MergeOutcome, SessionAttributes, SessionLimits, SessionRecord, SessionStore } from './session-store.ts';
import { StoreCircuit } from './store-circuit.ts';

/** What is logged of a store in trouble; pino's log, and so Fastify's, is one. */
export interface SessionLog {
  info(message: string): void;
  warn(details: object, message: string): void;
}

/** An id that is never given to anybody. */
const probeId = 'probe';

/** Any store, made safe to wait for: each call ends by the deadline, and each failure is `JIG_SESSION_STORE_UNAVAILABLE`. */
export class GuardedSessionStore implements SessionStore {
  readonly #store: SessionStore;
  readonly #deadlines: Deadlines;
  readonly #circuit: StoreCircuit;
  #failures = 0;

  constructor(store: SessionStore, { deadline, log }: { readonly deadline: number; readonly log: SessionLog }) {
    this.#store = store;
    this.#deadlines = new Deadlines(deadline);
    this.#circuit = new StoreCircuit({
      probe: () => this.check(),
      opened: ({ code, cause, message }) => {
        const why = cause === undefined ? message : cause instanceof Error ? cause.message : String(cause);
        const sentence = `the session store does not answer; going on without sessions until it does: ${why}`;
        log.warn({ facts: { code } }, sentence);
      },
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

  read(id: string): Awaitable<SessionRecord | undefined> {
    return this.#call(() => this.#store.read(id));
  }

  merge(id: string, entries: SessionAttributes, limits: SessionLimits): Awaitable<MergeOutcome> {
    return this.#call(() => this.#store.merge(id, entries, limits));
  }

  touch(id: string): Awaitable<void> {
    return this.#call(() => this.#store.touch(id));
  }

  destroy(id: string): Awaitable<void> {
    return this.#call(() => this.#store.destroy(id));
  }

  count(): Awaitable<number> {
    return this.#call(() => this.#store.count());
  }

  /** Asks the store even while it is known to be down; rejects when it does not answer. */
  async check(): Promise<void> {
    await this.#ask(() => this.#store.read(probeId));
  }

  stop(): void {
    this.#circuit.stop();
  }

  #call<Result>(operation: () => Awaitable<Result>): Awaitable<Result> {
    if (!this.#circuit.isOpen) return this.#ask(operation);
    this.#failures += 1;
    return Promise.reject(unavailable('The session store is down.'));
  }

  #ask<Result>(operation: () => Awaitable<Result>): Awaitable<Result> {
    try {
      const answer = operation();
      if (isPromise(answer)) return this.#await(answer);
      this.#circuit.succeeded();
      return answer;
    } catch (error) {
      return Promise.reject(this.#failure('The session store failed.', error));
    }
  }

  #await<Result>(answer: PromiseLike<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const end = this.#deadlines.begin(() =>
        reject(this.#failure(`The session store did not answer within ${this.#deadlines.span} ms.`)),
      );
      const succeed = (result: Result) => {
        if (!end()) return;
        this.#circuit.succeeded();
        resolve(result);
      };
      answer.then(succeed, (error) => {
        if (end()) reject(this.#failure('The session store failed.', error));
      });
    });
  }

  #failure(sentence: string, cause?: unknown): Error {
    const failure = unavailable(sentence, cause);
    this.#failures += 1;
    this.#circuit.failed(failure);
    return failure;
  }
}

/** Drivers bring promises of their own. */
const isPromise = <Result>(answer: Awaitable<Result>): answer is Promise<Result> =>
  typeof (answer as Partial<PromiseLike<Result>> | undefined)?.then === 'function';

function unavailable(sentence: string, cause?: unknown): SessionError {
  return new SessionError('JIG_SESSION_STORE_UNAVAILABLE', sentence, { cause });
}
