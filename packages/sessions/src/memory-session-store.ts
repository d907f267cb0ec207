import { copyText, mergeAttributes } from './attributes.ts';
import { assertInTime } from './deadline.ts';
import type { MergeOptions, MergeOutcome, SessionAttributes, SessionRecord, SessionStore } from './session-store.ts';

export interface MemorySessionStoreOptions {
  readonly maximumSessions: number;
  /** The memory that all sessions together may take, approximately. */
  readonly maximumBytes: number;
}

interface StoredSession {
  readonly id: string;
  readonly attributes: SessionAttributes;
  readonly bytes: number;
  expires: number;
}

/** Memory of a session besides its names and values, rounded up from heap measurements on Node 20. */
const bytesPerSession = 512;
const bytesPerAttribute = 64;
const sweepInterval = 30_000;

/** Sessions in the memory of this process, within bounds. */
export class MemorySessionStore implements SessionStore {
  readonly maximumSessions: number;
  readonly maximumBytes: number;
  bytes = 0;
  /** How many sessions were removed before they expired, because a bound was reached. */
  evicted = 0;
  /** The least recently used first. */
  readonly #sessions = new Map<string, StoredSession>();
  #sweep: NodeJS.Timeout | undefined;

  constructor({ maximumSessions, maximumBytes }: MemorySessionStoreOptions) {
    this.maximumSessions = maximumSessions;
    this.maximumBytes = maximumBytes;
  }

  /** Without the sessions, which have the data of users. */
  toJSON() {
    const { live, maximumSessions, bytes, maximumBytes, evicted } = this;
    return { live, maximumSessions, bytes, maximumBytes, evicted };
  }

  get live(): number {
    return this.#sessions.size;
  }

  /** Removes expired sessions in the background. */
  start(): void {
    this.#sweep ??= setInterval(() => this.count(), sweepInterval).unref();
  }

  stop(): void {
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  read(id: string): SessionRecord | undefined {
    const session = this.#use(id);
    return (
      session && { attributes: session.attributes, expires: session.expires, timeLeft: session.expires - Date.now() }
    );
  }

  merge(id: string, entries: SessionAttributes, { limits, timeToLive, deadline }: MergeOptions): MergeOutcome {
    assertInTime(deadline);
    const before = this.#use(id);
    const merged = mergeAttributes(before?.attributes ?? new Map(), entries, limits);
    if (merged.outcome !== 'stored') return merged.outcome;
    const { attributes } = merged;
    const bytes = merged.bytes + attributes.size * bytesPerAttribute + bytesPerSession;
    const session = { id: before?.id ?? copyText(id), attributes, bytes, expires: Date.now() + timeToLive };
    this.#sessions.set(session.id, session);
    this.bytes += bytes - (before?.bytes ?? 0);
    this.#evict();
    return 'stored';
  }

  touch(id: string, timeToLive: number): void {
    const session = this.#use(id);
    if (session !== undefined) session.expires = Date.now() + timeToLive;
  }

  destroy(id: string, deadline?: number): void {
    assertInTime(deadline);
    this.#drop(id);
  }

  count(): number {
    const now = Date.now();
    for (const [id, { expires }] of this.#sessions) if (expires <= now) this.#drop(id);
    return this.live;
  }

  #use(id: string): StoredSession | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined) return undefined;
    if (session.expires <= Date.now()) {
      this.#drop(id);
      return undefined;
    }
    this.#sessions.delete(id);
    this.#sessions.set(session.id, session);
    return session;
  }

  #evict(): void {
    const { maximumSessions, maximumBytes } = this;
    for (const id of this.#sessions.keys()) {
      const { size } = this.#sessions;
      if ((size <= maximumSessions && this.bytes <= maximumBytes) || size === 1) return;
      this.#drop(id);
      this.evicted += 1;
    }
  }

  #drop(id: string): void {
    const session = this.#sessions.get(id);
    if (session === undefined) return;
    this.#sessions.delete(id);
    this.bytes -= session.bytes;
  }
}
