import { copyText, mergeAttributes } from './attributes.ts';
import { assertInTime } from './deadline.ts';
import type { MergeOptions, MergeOutcome, SessionAttributes, SessionRecord, SessionStore } from './session-store.ts';

export interface MemorySessionStoreOptions {
  readonly maximumSessions: number;
  /** What all sessions together may take, in bytes of memory approximately. */
  readonly maximumBytes: number;
}

/** What a session takes beside its names and values: its id, record, list entries and map. Rounded up from heap measurements on Node 20. */
const bytesPerSession = 512;
const bytesPerAttribute = 64;
const sweepInterval = 30_000;
const noAttributes: SessionAttributes = new Map();

/** Sessions in this process: the fastest store, gone with the process, never bigger than its bounds. No operation depends on how many there are. */
export class MemorySessionStore implements SessionStore {
  readonly #options: MemorySessionStoreOptions;
  readonly #sessions = new Map<string, StoredSession>();
  /** The least recently used go first when a bound is reached. */
  readonly #byUse = new RecencyList<StoredSession>();
  /** By time to live: of those that live equally long, the one prolonged longest ago expires first. */
  readonly #byExpiry = new Map<number, RecencyList<StoredSession>>();
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
    this.#sweep ??= setInterval(() => this.#dropExpired(Date.now()), sweepInterval).unref();
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

  merge(id: string, entries: SessionAttributes, { limits, timeToLive, deadline }: MergeOptions): MergeOutcome {
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
    this.#prolong(session, now, timeToLive);
    this.#makeRoom();
    return 'stored';
  }

  touch(id: string, timeToLive: number): void {
    const now = Date.now();
    const session = this.#use(id, now);
    if (session !== undefined) this.#prolong(session, now, timeToLive);
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
    this.#byUse.append(session.inUse);
    return session;
  }

  #make(id: string): StoredSession {
    const session = new StoredSession(copyText(id));
    this.#sessions.set(session.id, session);
    this.#byUse.append(session.inUse);
    return session;
  }

  #prolong(session: StoredSession, now: number, timeToLive: number): void {
    session.expires = now + timeToLive;
    const list = this.#byExpiry.get(timeToLive) ?? new RecencyList();
    this.#byExpiry.set(timeToLive, list);
    list.append(session.inExpiry);
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
    for (const [timeToLive, list] of this.#byExpiry) {
      for (let first = list.oldest; first && first.expires <= now; first = list.oldest) this.#drop(first);
      if (list.oldest === undefined) this.#byExpiry.delete(timeToLive);
    }
  }

  #drop(session: StoredSession): void {
    this.#sessions.delete(session.id);
    session.inUse.remove();
    session.inExpiry.remove();
    this.#bytes -= session.bytes;
  }
}

class StoredSession {
  attributes = noAttributes;
  expires = 0;
  bytes = 0;
  readonly id: string;
  readonly inUse = new RecencyEntry<StoredSession>(this);
  readonly inExpiry = new RecencyEntry<StoredSession>(this);

  constructor(id: string) {
    this.id = id;
  }
}

/** A place in a ring, which is alone at first. */
class RecencyEntry<Item> {
  older: RecencyEntry<Item> = this;
  newer: RecencyEntry<Item> = this;
  readonly item: Item | undefined;

  constructor(item?: Item) {
    this.item = item;
  }

  remove(): void {
    this.older.newer = this.newer;
    this.newer.older = this.older;
    this.older = this;
    this.newer = this;
  }
}

/** Items from the oldest to the newest. A linked list, since a Map used as a queue walks over the holes that deleted entries leave at its front. */
class RecencyList<Item> {
  /** Between the newest and the oldest. */
  readonly #end = new RecencyEntry<Item>();

  get oldest(): Item | undefined {
    return this.#end.newer.item;
  }

  /** Makes it the newest, wherever it was before. */
  append(entry: RecencyEntry<Item>): void {
    entry.remove();
    entry.older = this.#end.older;
    entry.newer = this.#end;
    this.#end.older.newer = entry;
    this.#end.older = entry;
  }
}
