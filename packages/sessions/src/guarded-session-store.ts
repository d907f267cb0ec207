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

/** A logger for the state of the store, such as pino's or Fastify's. */
export interface SessionLog {
  info(message: string): void;
  warn(details: object, message: string): void;
}

export type StoreState = 'ready' | 'refuses writes' | 'unavailable';

/** After so many failed reads in a row, the store is no longer asked. */
const failureThreshold = 3;
/** How often a failing store is probed, in milliseconds. */
const probeInterval = 1000;
/** How often a health check writes, in milliseconds. */
const writeInterval = 10_000;
/** Never the id of a session. */
const probeId = 'probe';
/** Larger than most sessions, and random, so that a store with a full disk cannot fit or compress it. */
const probeBytes = 3000;
const probeOptions = { limits: { maximumAttributes: 1, maximumBytes: 2 * probeBytes }, timeToLive: 60_000 };

const sentences = {
  'refuses writes':
    'the session store refuses writes; sessions are read, but nothing is stored until it takes writes again',
  unavailable: 'the session store does not answer; continuing without sessions until it does',
};

/**
 * A circuit breaker around a store: each call ends by the deadline, and each failure is `JIG_SESSION_STORE_UNAVAILABLE`. A failing store is not
 * called, so that pages stay fast; one that only refuses writes, as on a full disk, is still read. Background probes decide which it is, and
 * when it has recovered.
 */
export class GuardedSessionStore implements SessionStore {
  readonly #store: SessionStore;
  /** In milliseconds. */
  readonly #deadline: number;
  readonly #log: SessionLog;
  state: StoreState = 'ready';
  /** How many calls failed, timed out, or were skipped because the store was down. */
  failures = 0;
  #failedReads = 0;
  #probing: Promise<void> | undefined;
  #probedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(store: SessionStore, { deadline, log }: { readonly deadline: number; readonly log: SessionLog }) {
    this.#store = store;
    this.#deadline = deadline;
    this.#log = log;
  }

  /** Without the store behind it, which has the data of users. */
  toJSON() {
    return { state: this.state, failures: this.failures };
  }

  read(id: string): Promise<SessionRecord | undefined> {
    return this.#call('read', () => this.#store.read(id));
  }

  merge(id: string, entries: SessionAttributes, { limits, timeToLive }: MergeOptions): Promise<MergeOutcome> {
    const options = { limits, timeToLive, deadline: this.#newDeadline() };
    return this.#call('write', () => this.#store.merge(id, entries, options));
  }

  touch(id: string, timeToLive: number): Promise<void> {
    return this.#call('other', () => this.#store.touch(id, timeToLive));
  }

  destroy(id: string): Promise<void> {
    return this.#call('other', () => this.#store.destroy(id, this.#newDeadline()));
  }

  count(): Promise<number> {
    return this.#call('read', () => this.#store.count());
  }

  /** Asks the store for its state unless it is known to fail; writes to it every 10 seconds. */
  async check(): Promise<StoreState> {
    if (this.state !== 'ready') return this.state;
    if (performance.now() - this.#probedAt >= writeInterval) await this.#probe();
    else await this.#call('read', () => this.#store.read(probeId)).catch(() => this.#probe());
    return this.state;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** The deadline of a call that begins now. */
  #newDeadline(): number {
    return performance.now() + this.#deadline;
  }

  async #call<Result>(kind: 'read' | 'write' | 'other', operation: () => Awaitable<Result>): Promise<Result> {
    try {
      if (this.state === 'unavailable' || (this.state === 'refuses writes' && kind === 'write'))
        throw unavailable(`The session store ${this.state === 'unavailable' ? 'is down' : this.state}.`);
      const result = await this.#inTime(operation);
      if (kind === 'read') this.#failedReads = 0;
      return result;
    } catch (error) {
      this.failures += 1;
      // The store itself works.
      if (isDamagedSession(error)) throw unavailable('This session is damaged in the store.', { cause: error });
      const failure = toFailure(error);
      if (this.state === 'ready') this.#suspect(kind, failure);
      throw failure;
    }
  }

  #suspect(kind: 'read' | 'write' | 'other', failure: SessionError): void {
    if (kind === 'read' && ++this.#failedReads >= failureThreshold) this.#enter('unavailable', failure);
    // A single failed write may concern only its session.
    else if (kind === 'write') this.#probeAfter(Math.max(0, this.#probedAt + probeInterval - performance.now()));
  }

  async #inTime<Result>(operation: () => Awaitable<Result>): Promise<Result> {
    const answer = operation();
    // A synchronous answer needs no deadline, which would cost more than the call.
    if (typeof (answer as Partial<PromiseLike<Result>> | undefined)?.then !== 'function') return answer;
    const deadline = this.#deadline;
    return new Promise((resolve, reject) => {
      const onLate = () => reject(unavailable(`The session store did not answer within ${deadline} ms.`, { deadline }));
      const endDeadline = startDeadline(deadline, onLate);
      void Promise.resolve(answer).then(resolve, reject).finally(endDeadline);
    });
  }

  /** Concurrent callers share one probe. */
  #probe(): Promise<void> {
    this.#probing ??= this.#runProbe().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  async #runProbe(): Promise<void> {
    this.#probedAt = performance.now();
    let found: StoreState = 'unavailable';
    try {
      await this.#inTime(() => this.#store.read(probeId));
      found = 'refuses writes';
      await this.#probeWrite();
      this.#enter('ready');
    } catch (error) {
      this.#enter(found, toFailure(error));
    }
  }

  /** Stores and removes a new session. */
  async #probeWrite(): Promise<void> {
    // A memory store never refuses a write, and a probe could evict a session.
    if (this.#store instanceof MemorySessionStore) return;
    const id = `${probeId}-${randomUUID()}`;
    const entries = new Map([[probeId, randomBytes(probeBytes).toString('base64')]]);
    await this.#inTime(() => this.#store.merge(id, entries, { ...probeOptions, deadline: this.#newDeadline() }));
    // If it cannot be removed, it expires.
    await this.#inTime(() => this.#store.destroy(id)).catch(() => {});
  }

  #probeAfter(pause: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#probe();
    }, pause).unref();
  }

  #enter(state: StoreState, failure?: SessionError): void {
    if (this.#isStopped) return;
    const from = this.state;
    this.state = state;
    this.#failedReads = 0;
    if (state !== 'ready') this.#probeAfter(probeInterval);
    if (from !== state) this.#logChange(from, state, failure);
  }

  #logChange(from: StoreState, to: StoreState, failure: SessionError | undefined): void {
    if (to === 'ready') {
      this.#log.info(`the session store ${from === 'unavailable' ? 'answers' : 'takes writes'} again`);
      return;
    }
    const reason: unknown = failure?.cause ?? failure;
    const why = reason instanceof Error ? reason.message : String(reason);
    this.#log.warn({ facts: { code: failure?.code } }, `${sentences[to]}: ${why}`);
  }
}

const toFailure = (error: unknown): SessionError =>
  error instanceof SessionError ? error : unavailable('The session store failed.', { cause: error });

function unavailable(sentence: string, fields?: Readonly<Record<string, unknown>>): SessionError {
  return new SessionError('JIG_SESSION_STORE_UNAVAILABLE', sentence, fields);
}

/** Whether the store timed out, rather than failed or was skipped. */
export const isLate = (error: unknown): error is SessionError => error instanceof SessionError && 'deadline' in error;
