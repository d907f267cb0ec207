/** A value, or a promise of it. A synchronous answer is faster. */
export type Awaitable<Value> = Value | Promise<Value>;

/** Names to values, all of them input of the visitor. */
export type SessionAttributes = ReadonlyMap<string, string>;

export interface SessionRecord {
  readonly attributes: SessionAttributes;
  /** When the session ends unless it is touched, in whole epoch milliseconds. */
  readonly expires: number;
  /**
   * How long the session lives unless it is touched, in milliseconds, by the clock that `expires` is from. If missing, it is computed by the
   * clock of this process, and sessions are extended too often or too late if the clocks differ.
   */
  readonly timeLeft?: number;
}

export interface SessionLimits {
  readonly maximumAttributes: number;
  /** The sum of names and values, in UTF-8 bytes. */
  readonly maximumBytes: number;
}

/** The options of a merge; the store need not remember them. */
export interface MergeOptions {
  readonly limits: SessionLimits;
  /** How long the session lives from now on unless it is touched, in milliseconds. */
  readonly timeToLive: number;
  /**
   * After this time, by `performance.now()`, the store must not store anything, and throws (`assertInTime`): the visitor has been told that the
   * merge failed, and may have stored something else.
   */
  readonly deadline?: number | undefined;
}

/** A merge that is refused stores nothing. */
export type MergeOutcome = 'stored' | 'too many attributes' | 'too many bytes';

/**
 * Where sessions are stored. Ids are 256 random bits; names and values are arbitrary strings, which a store must return unchanged. A store may
 * be slow or fail: the session manager sets a deadline for each call and turns rejections into `JIG_SESSION_STORE_UNAVAILABLE`.
 */
export interface SessionStore {
  /** Does not extend the session. */
  read(id: string): Awaitable<SessionRecord | undefined>;
  /**
   * Sets or replaces the given attributes atomically, keeps the others, and extends the session, or creates it. Parallel merges lose nothing.
   */
  merge(id: string, entries: SessionAttributes, options: MergeOptions): Awaitable<MergeOutcome>;
  /** Extends the session, if it exists, to so many milliseconds from now. */
  touch(id: string, timeToLive: number): Awaitable<void>;
  /** Throws after the deadline, by `performance.now()`. */
  destroy(id: string, deadline?: number): Awaitable<void>;
  /** The number of sessions; above some thousands it may be an estimate. */
  count(): Awaitable<number>;
}
