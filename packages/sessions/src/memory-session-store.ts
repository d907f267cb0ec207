import { copyText, mergeAttributes } from './attributes.ts';
import { assertInTime } from './deadline.ts';
import { type RecencyEntry, RecencyList } from './recency-list.ts';
import type { MergeOutcome, SessionAttributes, SessionLimits, SessionRecord, SessionStore } from './session-store.ts';

export interface MemorySessionStoreOptions {
  /** How long a session lives untouched, in milliseconds. */
  readonly timeToLive: number;
  readonly maximumSessions: number;
  /** What all sessions together may take, in bytes of memory approximately. */
  readonly maximumBytes: number;
}

/** What a session takes beside its names and values: its id, record, list entries and map. Rounded up from heap measurements on Node 20. */
const bytesPerSession = 512;
const bytesPerAttribute = 64;
const longestSweepInterval = 30_000;
const noAttributes: SessionAttributes = new Map();

/** Sessions in this process: the fastest store, gone with the process, never bigger than its bounds. No operation depends on how many there are. */
export class MemorySessionStore implements SessionStore {
  readonly #options: MemorySessionStoreOptions;
  readonly #sessions = new Map<string, StoredSession>();
  /** The least recently used go first when a bound is reached. */
  readonly #byUse = new RecencyList<StoredSession>();
  /** All live equally long, so the one prolonged longest ago expires first. */
  readonly #byExpiry = new RecencyList<StoredSession>();
  #bytes = 0;
  #evicted = 0;
  #sweep: NodeJS.Timeout | undefined;

  constructor(options: MemorySessionStoreOptions) {
    this.#options = options;
  }

  get live(): number {
    return this.#sessions.size;
  }

  get maximumSessions(): number {
    return this.#options.maximumSessions;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get maximumBytes(): number {
    return this.#options.maximumBytes;
  }

  /** How many sessions had to go before their time because a bound was reached. */
  get evicted(): number {
    return this.#evicted;
  }

  /** Frees what expired even when nobody calls; without it, expired sessions go as others come. */
  start(): void {
    const interval = Math.min(longestSweepInterval, this.#options.timeToLive);
    this.#sweep ??= setInterval(() => this.#dropExpired(Date.now()), interval).unref();
  }

  stop(): void {
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  read(id: string): SessionRecord | undefined {
    const now = Date.now();
    const session = this.#use(id, now);
    return session && { attributes: session.attributes, expires: session.expires, timeLeft: session.expires - now };
  }

  merge(id: string, entries: SessionAttributes, limits: SessionLimits, deadline?: number): MergeOutcome {
    assertInTime(deadline);
    const now = Date.now();
    this.#dropExpired(now);
    const known = this.#use(id, now);
    const merged = mergeAttributes(known?.attributes ?? noAttributes, entries, limits);
    if (merged.outcome !== 'stored') return merged.outcome;

    const session = known ?? this.#make(id);
    session.attributes = merged.attributes;
    const bytes = merged.bytes + merged.attributes.size * bytesPerAttribute + bytesPerSession;
    this.#bytes += bytes - session.bytes;
    session.bytes = bytes;
    this.#prolong(session, now);
    this.#makeRoom();
    return 'stored';
  }

  touch(id: string): void {
    const now = Date.now();
    const session = this.#use(id, now);
    if (session !== undefined) this.#prolong(session, now);
  }

  destroy(id: string, deadline?: number): void {
    assertInTime(deadline);
    const session = this.#sessions.get(id);
    if (session !== undefined) this.#drop(session);
  }

  count(): number {
    this.#dropExpired(Date.now());
    return this.live;
  }

  #use(id: string, now: number): StoredSession | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined) return undefined;
    if (session.expires <= now) {
      this.#drop(session);
      return undefined;
    }
    this.#byUse.renew(session.inUse);
    return session;
  }

  #make(id: string): StoredSession {
    const session = new StoredSession(copyText(id), this.#byUse, this.#byExpiry);
    this.#sessions.set(session.id, session);
    return session;
  }

  #prolong(session: StoredSession, now: number): void {
    session.expires = now + this.#options.timeToLive;
    this.#byExpiry.renew(session.inExpiry);
  }

  #makeRoom(): void {
    const { maximumSessions, maximumBytes } = this.#options;
    while (this.#sessions.size > maximumSessions || this.#bytes > maximumBytes) {
      const oldest = this.#byUse.oldest;
      if (oldest === undefined || this.#sessions.size === 1) return;
      this.#drop(oldest);
      this.#evicted += 1;
    }
  }

  #dropExpired(now: number): void {
    for (let first = this.#byExpiry.oldest; first && first.expires <= now; first = this.#byExpiry.oldest) {
      this.#drop(first);
    }
  }

  #drop(session: StoredSession): void {
    this.#sessions.delete(session.id);
    this.#byUse.remove(session.inUse);
    this.#byExpiry.remove(session.inExpiry);
    this.#bytes -= session.bytes;
  }
}

class StoredSession {
  attributes = noAttributes;
  expires = 0;
  bytes = 0;
  readonly id: string;
  readonly inUse: RecencyEntry<StoredSession>;
  readonly inExpiry: RecencyEntry<StoredSession>;

  constructor(id: string, byUse: RecencyList<StoredSession>, byExpiry: RecencyList<StoredSession>) {
    this.id = id;
    this.inUse = byUse.add(this);
    this.inExpiry = byExpiry.add(this);
  }
}
