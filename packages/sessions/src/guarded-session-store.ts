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

/** What is logged of a store in trouble; pino's log, and so Fastify's, is one. */
export interface SessionLog {
  info(message: string): void;
  warn(details: object, message: string): void;
}

export type StoreState = 'ready' | 'refuses writes' | 'unavailable';

/** So many reads that fail in a row, and the store is not asked any more. */
const failureThreshold = 3;
/** In milliseconds: how often a store in trouble is probed, and how often a health check writes. */
const probeInterval = 1000;
const writeInterval = 10_000;
/** An id that is never given to anybody. */
const probeId = 'probe';
/** More than most sessions hold, and nothing that can be compressed: a store must have new room for it, not just a gap somewhere. */
const probeBytes = 3000;
const probeOptions = { limits: { maximumAttributes: 1, maximumBytes: 2 * probeBytes }, timeToLive: 60_000 };

const sentences = {
  'refuses writes':
    'the session store refuses writes; sessions are read, but nothing is stored until it takes them again',
  unavailable: 'the session store does not answer; going on without sessions until it does',
};

/**
 * Any store, made safe to wait for: each call ends by the deadline, and each failure is `JIG_SESSION_STORE_UNAVAILABLE`. A store in trouble
 * is not called, so that pages stay fast; one that only refuses writes, as on a full disk, is still read. A probe in the background, not a
 * visitor, finds out what is wrong and when it is over: a single write that fails or succeeds proves nothing.
 */
export class GuardedSessionStore implements SessionStore {
  readonly #store: SessionStore;
  /** In milliseconds. */
  readonly #deadline: number;
  readonly #log: SessionLog;
  #state: StoreState = 'ready';
  #failures = 0;
  #failedReads = 0;
  #probing: Promise<void> | undefined;
  #probed = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(store: SessionStore, { deadline, log }: { readonly deadline: number; readonly log: SessionLog }) {
    this.#store = store;
    this.#deadline = deadline;
    this.#log = log;
  }

  get state(): StoreState {
    return this.#state;
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

  /** How the store is: it is asked unless that is known, and now and then written to. */
  async check(): Promise<StoreState> {
    if (this.#state !== 'ready') return this.#state;
    if (performance.now() - this.#probed >= writeInterval) await this.#probe();
    else await this.#call('read', () => this.#store.read(probeId)).catch(() => this.#probe());
    return this.#state;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** When a call that begins now is given up. */
  #latest(): number {
    return performance.now() + this.#deadline;
  }

  async #call<Result>(kind: 'read' | 'write' | 'other', operation: () => Awaitable<Result>): Promise<Result> {
    try {
      if (this.#state === 'unavailable' || (this.#state === 'refuses writes' && kind === 'write'))
        throw unavailable(`The session store ${this.#state === 'unavailable' ? 'is down' : this.#state}.`);
      const result = await this.#ask(operation);
      if (kind === 'read') this.#failedReads = 0;
      return result;
    } catch (error) {
      this.#failures += 1;
      // A store that answers is not in trouble, whatever has become of one session.
      if (isDamagedSession(error)) throw unavailable('This session is damaged in the store.', { cause: error });
      const failure = toFailure(error);
      if (this.#state === 'ready') this.#suspect(kind, failure);
      throw failure;
    }
  }

  #suspect(kind: 'read' | 'write' | 'other', failure: SessionError): void {
    if (kind === 'read' && ++this.#failedReads >= failureThreshold) this.#enter('unavailable', failure);
    // It may be the store or just this one write.
    else if (kind === 'write') this.#probeAfter(Math.max(0, this.#probed + probeInterval - performance.now()));
  }

  async #ask<Result>(operation: () => Awaitable<Result>): Promise<Result> {
    const answer = operation();
    // One that is at hand needs no deadline, which would cost more than all the rest.
    if (typeof (answer as Partial<PromiseLike<Result>> | undefined)?.then !== 'function') return answer;
    const deadline = this.#deadline;
    return new Promise((resolve, reject) => {
      const onLate = () => reject(unavailable(`The session store did not answer within ${deadline} ms.`, { deadline }));
      const endDeadline = startDeadline(deadline, onLate);
      void Promise.resolve(answer).then(resolve, reject).finally(endDeadline);
    });
  }

  /** Finds out how the store is; callers at the same time share one probe. */
  #probe(): Promise<void> {
    this.#probing ??= this.#runProbe().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  async #runProbe(): Promise<void> {
    this.#probed = performance.now();
    let found: StoreState = 'unavailable';
    try {
      await this.#ask(() => this.#store.read(probeId));
      found = 'refuses writes';
      await this.#probeWrite();
      this.#enter('ready');
    } catch (error) {
      this.#enter(found, toFailure(error));
    }
  }

  /** A new session each time, as those of new visitors are, and removed at once. */
  async #probeWrite(): Promise<void> {
    // Memory refuses nobody, and a session of ours could cost somebody else's its place.
    if (this.#store instanceof MemorySessionStore) return;
    const id = `${probeId}-${randomUUID()}`;
    const entries = new Map([[probeId, randomBytes(probeBytes).toString('base64')]]);
    await this.#ask(() => this.#store.merge(id, entries, { ...probeOptions, deadline: this.#latest() }));
    // One that stays expires by itself.
    await this.#ask(() => this.#store.destroy(id)).catch(() => {});
  }

  #probeAfter(pause: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#probe();
    }, pause).unref();
  }

  #enter(state: StoreState, failure?: SessionError): void {
    if (this.#isStopped) return;
    const from = this.#state;
    this.#state = state;
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

/** Whether the store did not answer by the deadline, rather than that it failed or was not asked. */
export const isLate = (error: unknown): error is SessionError => error instanceof SessionError && 'deadline' in error;
