import { randomBytes, randomUUID } from 'node:crypto';
import { startDeadline } from './deadline.ts';
import { isDamagedSession, SessionError } from './errors.ts';
import { MemorySessionStore } from './memory-session-store.ts';
import type {
  Awaitable,
  MergeOptions,
  MergeOutcome,
  SessionAttributes,
  SessionRecord,
  SessionStore,
} from './session-store.ts';
import { StoreCircuit, type StoreState } from './store-circuit.ts';
import { type SessionLog, StoreLog } from './store-log.ts';

/** An id that is never given to anybody. */
const probeId = 'probe';
/** More than most sessions hold, and nothing that can be compressed: a store must have new room for it, not just a gap somewhere. */
const probeBytes = 3000;
const probeOptions: MergeOptions = {
  limits: { maximumAttributes: 1, maximumBytes: 2 * probeBytes },
  timeToLive: 60_000,
};
/** How often a health check writes when nobody else does, in milliseconds. */
const writeInterval = 10_000;

/** What the outcome of a call says of the store: a change or removal of what is there tells nothing of new writes. */
type CallKind = 'read' | 'write' | 'other';

/** Any store, made safe to wait for: each call ends by the deadline, and each failure is `JIG_SESSION_STORE_UNAVAILABLE`. */
export class GuardedSessionStore implements SessionStore {
  readonly #store: SessionStore;
  /** In milliseconds. */
  readonly #deadline: number;
  readonly #circuit: StoreCircuit;
  readonly #log: StoreLog;
  #failures = 0;
  #hasWritten = false;

  constructor(store: SessionStore, { deadline, log }: { readonly deadline: number; readonly log: SessionLog }) {
    this.#store = store;
    this.#deadline = deadline;
    this.#log = new StoreLog(log);
    this.#circuit = new StoreCircuit({
      read: () => this.#ask('other', () => this.#store.read(probeId)),
      write: () => this.#probeWrite(),
      changed: (state, failure) => this.#log.changed(state, failure),
    });
  }

  get state(): StoreState {
    return this.#circuit.state;
  }

  /** How many calls failed, came late, or were not made because the store was known to be down. */
  get failures(): number {
    return this.#failures;
  }

  read(id: string): Promise<SessionRecord | undefined> {
    return this.#call('read', () => this.#store.read(id));
  }

  merge(id: string, entries: SessionAttributes, { limits, timeToLive }: MergeOptions): Promise<MergeOutcome> {
    const options = { limits, timeToLive, deadline: this.#latest() };
    return this.#call('write', () => this.#store.merge(id, entries, options));
  }

  touch(id: string, timeToLive: number): Promise<void> {
    return this.#call('other', () => this.#store.touch(id, timeToLive));
  }

  destroy(id: string): Promise<void> {
    return this.#call('other', () => this.#store.destroy(id, this.#latest()));
  }

  count(): Promise<number> {
    return this.#call('read', () => this.#store.count());
  }

  /** How the store is: known already while it is in trouble; otherwise it is asked, and now and then written to. */
  async check(): Promise<StoreState> {
    if (this.state !== 'ready') return this.state;
    if (!this.#hasWritten && this.#circuit.sinceProbe >= writeInterval) {
      await this.#circuit.probe();
      return this.state;
    }
    this.#hasWritten = false;
    try {
      await this.#ask('read', () => this.#store.read(probeId));
      return this.state;
    } catch {
      return 'unavailable';
    }
  }

  stop(): void {
    this.#circuit.stop();
    this.#log.stop();
  }

  /** When a call that begins now is given up. */
  #latest(): number {
    return performance.now() + this.#deadline;
  }

  /** A new session each time, as those of new visitors are, and removed at once. */
  async #probeWrite(): Promise<void> {
    // Memory refuses nobody, and a session of ours could cost somebody else's its place.
    if (this.#store instanceof MemorySessionStore) return;
    const id = `${probeId}-${randomUUID()}`;
    const entries = new Map([[probeId, randomBytes(probeBytes).toString('base64')]]);
    await this.#ask('other', () => this.#store.merge(id, entries, { ...probeOptions, deadline: this.#latest() }));
    // One that stays expires by itself.
    await this.#ask('other', () => this.#store.destroy(id)).catch(() => {});
  }

  async #call<Result>(kind: CallKind, operation: () => Awaitable<Result>): Promise<Result> {
    const { state } = this.#circuit;
    if (state === 'ready' || (state === 'refuses writes' && kind !== 'write')) return this.#ask(kind, operation);
    this.#failures += 1;
    throw unavailable(`The session store ${state === 'unavailable' ? 'is down' : state}.`);
  }

  async #ask<Result>(kind: CallKind, operation: () => Awaitable<Result>): Promise<Result> {
    try {
      const answer = operation();
      // One that is at hand needs no deadline, which would cost more than all the rest.
      const result = isPromise(answer) ? await this.#inTime(answer) : answer;
      if (kind === 'read') this.#circuit.readSucceeded();
      else if (kind === 'write') this.#hasWritten = true;
      return result;
    } catch (error) {
      this.#failures += 1;
      throw isDamagedSession(error) ? this.#damaged(kind, error) : this.#failed(kind, error);
    }
  }

  #inTime<Result>(answer: PromiseLike<Result>): Promise<Result> {
    const deadline = this.#deadline;
    return new Promise((resolve, reject) => {
      const onLate = () => reject(unavailable(`The session store did not answer within ${deadline} ms.`, { deadline }));
      const endDeadline = startDeadline(deadline, onLate);
      void Promise.resolve(answer).then(resolve, reject).finally(endDeadline);
    });
  }

  /** A store that answers is not in trouble, whatever has become of one session. */
  #damaged(kind: CallKind, cause: unknown): SessionError {
    if (kind === 'read') this.#circuit.readSucceeded();
    return unavailable('This session is damaged in the store.', { cause });
  }

  #failed(kind: CallKind, error: unknown): SessionError {
    const failure = isLate(error) ? error : unavailable('The session store failed.', { cause: error });
    if (kind === 'read') this.#circuit.readFailed(failure);
    else if (kind === 'write') this.#circuit.writeFailed();
    return failure;
  }
}

/** Drivers bring promises of their own. */
const isPromise = <Result>(answer: Awaitable<Result>): answer is Promise<Result> =>
  typeof (answer as Partial<PromiseLike<Result>> | undefined)?.then === 'function';

function unavailable(sentence: string, fields?: Readonly<Record<string, unknown>>): SessionError {
  return new SessionError('JIG_SESSION_STORE_UNAVAILABLE', sentence, fields);
}

/** Whether the store did not answer by the deadline, rather than that it failed or was not asked. */
export const isLate = (error: unknown): error is SessionError => error instanceof SessionError && 'deadline' in error;
