import type { Awaitable } from './awaitable.ts';
import type { SessionAttributes, SessionRecord } from './session-store.ts';

/**
 * The caller's own session, as a request handler sees it. Nothing is read before it is asked for, nothing is created
 * before something is stored. Await what it gives: a store that has the answer at hand gives it, or throws, at once.
 */
export interface Session {
  /** The attributes; empty when there is no session. Rejects with `JIG_SESSION_STORE_UNAVAILABLE` when the store is down. */
  attributes(): Awaitable<SessionAttributes>;
  /** The session as it is kept, if there is one; other than `attributes`, looking at it does not prolong it. */
  record(): Awaitable<SessionRecord | undefined>;
  /** Sets or replaces attributes, creating the session if need be; sends the cookie. An empty map stores nothing. */
  store(entries: SessionAttributes): Awaitable<void>;
  /** Ends the session and withdraws its cookie. */
  destroy(): Promise<void>;
  /** Carries the attributes over to a new id, so that an id known before a change of rights is worth nothing after it. */
  renew(): Promise<void>;
}

declare module 'fastify' {
  interface FastifyRequest {
    readonly session: Session;
  }
}
