/** A value, or a promise of it. A store that has the answer at hand gives it without a promise, which costs more than most lookups. */
export type Awaitable<Value> = Value | Promise<Value>;

/** What a session holds: attribute names to values, all of them the user's own words. */
export type SessionAttributes = ReadonlyMap<string, string>;

export interface SessionRecord {
  readonly attributes: SessionAttributes;
  /** When the session ends unless it is touched, in whole epoch milliseconds. */
  readonly expires: number;
  /**
   * How long the session lives unless it is touched, in milliseconds, by the clock that `expires` is from. Where it is missing, it is told
   * by the clock of this process, and sessions are prolonged too often or too late if the two differ.
   */
  readonly timeLeft?: number;
}

export interface SessionLimits {
  readonly maximumAttributes: number;
  /** The sum of names and values, in UTF-8 bytes. */
  readonly maximumBytes: number;
}

/** What a store is told with a merge; it keeps none of this by itself. */
export interface MergeOptions {
  readonly limits: SessionLimits;
  /** How long the session lives from now on unless it is touched, in milliseconds. */
  readonly timeToLive: number;
  /**
   * From then on, by `performance.now()`, nothing may be stored any more: the visitor has been told so, and may have stored something else. A store throws then (`assertInTime`).
   */
  readonly deadline?: number | undefined;
}

/** What became of a merge: refused means that nothing of it was stored. */
export type MergeOutcome = 'stored' | 'too many attributes' | 'too many bytes';

/**
 * Where sessions are kept. Ids are ours, 256 random bits; names and values are arbitrary strings, which a store must give back as they came.
 * A store may be slow or fail: the session manager puts a deadline on each call and turns a rejection into `JIG_SESSION_STORE_UNAVAILABLE`.
 * One that has the answer at hand gives it without a promise.
 */
export interface SessionStore {
  /** One round trip. Does not prolong the session. */
  read(id: string): Awaitable<SessionRecord | undefined>;
  /**
   * Sets or replaces the given attributes at once, keeps the others, prolongs the session, and makes it if there is none. Parallel merges lose no key.
   */
  merge(id: string, entries: SessionAttributes, options: MergeOptions): Awaitable<MergeOutcome>;
  /** Prolongs the session, if there is one: it lives so many milliseconds from now on. */
  touch(id: string, timeToLive: number): Awaitable<void>;
  /** Not after the deadline, by `performance.now()`. */
  destroy(id: string, deadline?: number): Awaitable<void>;
  /** How many sessions live; of thousands, an estimate. */
  count(): Awaitable<number>;
}
