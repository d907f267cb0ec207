import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionLimits } from './attributes.ts';
import { SessionError } from './errors.ts';
import { isLate } from './guarded-session-store.ts';
import type { SessionId } from './session-cookie.ts';
import type { SessionManager } from './session-manager.ts';
import type { MergeOutcome, SessionAttributes, SessionRecord } from './session-store.ts';

/**
 * The caller's session in a request handler. It is read on first use and created by the first `set`. All methods return promises, with every
 * store.
 */
export interface Session {
  /** One attribute, or undefined. Rejects with `JIG_SESSION_STORE_UNAVAILABLE` when the store is down. */
  get(name: string): Promise<string | undefined>;
  /** All attributes; empty if there is no session. */
  entries(): Promise<SessionAttributes>;
  /** Sets or replaces one attribute, creating the session if need be; sends the cookie. */
  set(name: string, value: string): Promise<void>;
  /** Sets or replaces several attributes at once, and keeps the others. An empty map stores nothing. */
  set(entries: SessionAttributes): Promise<void>;
  /** The stored session, if there is one. Does not extend it. */
  peek(): Promise<SessionRecord | undefined>;
  /** Ends the session and deletes its cookie. */
  destroy(): Promise<void>;
  /** Moves the attributes to a new id, so that an id from before a login is worthless after it (session fixation). */
  regenerate(): Promise<void>;
}

declare module 'fastify' {
  interface FastifyRequest {
    readonly session: Session;
  }
}

const noAttributes: SessionAttributes = new Map();

const refusals = {
  'too many attributes': `A session holds at most ${sessionLimits.maximumAttributes} attributes.`,
  'too many bytes': `A session holds at most ${sessionLimits.maximumBytes / 1024} KiB.`,
} satisfies Record<Exclude<MergeOutcome, 'stored'>, string>;

/** The session of one request. Reads the cookie and the store on first use, and the store again only after a `set`. */
export class RequestSession implements Session {
  readonly #manager: SessionManager;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  /** `null` until the cookie is read. */
  #id: SessionId | null | undefined = null;
  /** `null` until the store is read. */
  #record: Promise<SessionRecord | undefined> | null = null;
  #isKeptAlive = false;
  #timeout: SessionError | undefined;

  constructor(manager: SessionManager, request: FastifyRequest, reply: FastifyReply) {
    this.#manager = manager;
    this.#request = request;
    this.#reply = reply;
  }

  async get(name: string): Promise<string | undefined> {
    return (await this.entries()).get(name);
  }

  async entries(): Promise<SessionAttributes> {
    return this.#attributesOf(await this.peek());
  }

  peek(): Promise<SessionRecord | undefined> {
    if (this.#record === null) this.#record = this.#read();
    return this.#record;
  }

  set(name: string, value: string): Promise<void>;
  set(entries: SessionAttributes): Promise<void>;
  async set(given: SessionAttributes | string, value?: string): Promise<void> {
    const entries = typeof given === 'string' ? new Map([[given, value]]) : given;
    if (!hasStrings(entries))
      throw new TypeError('Names and values of a session must be strings: set(name, String(value)).');
    if (entries.size === 0) return;
    const known = this.#cookieId();
    const id = known ?? this.#manager.cookie.newId();
    this.#id = id;
    await this.#merge(id, entries);
    const { counters, cookie } = this.#manager;
    counters.stored += 1;
    if (known === undefined) counters.created += 1;
    this.#record = null;
    cookie.send(this.#reply, id);
  }

  async destroy(): Promise<void> {
    const id = this.#forget();
    if (id === undefined) return;
    this.#manager.cookie.clear(this.#reply);
    await this.#callStore(() => this.#manager.store.destroy(id.id));
    this.#manager.counters.destroyed += 1;
  }

  async regenerate(): Promise<void> {
    const record = await this.peek();
    const old = this.#forget();
    if (record === undefined || old === undefined) return;
    const id = this.#manager.cookie.newId();
    await this.#merge(id, record.attributes);
    await this.#callStore(() => this.#manager.store.destroy(old.id));
    this.#id = id;
    this.#manager.cookie.send(this.#reply, id);
  }

  #attributesOf(record: SessionRecord | undefined): SessionAttributes {
    const id = this.#cookieId();
    if (record === undefined || id === undefined) return noAttributes;
    if (!this.#isKeptAlive) {
      this.#isKeptAlive = true;
      if (this.#manager.keepAlive(id.id, record)) this.#manager.cookie.send(this.#reply, id);
    }
    return record.attributes;
  }

  #cookieId(): SessionId | undefined {
    if (this.#id === null) this.#id = this.#manager.cookie.read(this.#request);
    return this.#id;
  }

  #forget(): SessionId | undefined {
    const id = this.#cookieId();
    this.#id = undefined;
    this.#record = null;
    return id;
  }

  async #read(): Promise<SessionRecord | undefined> {
    const id = this.#cookieId();
    if (id === undefined) return undefined;
    const { counters, store } = this.#manager;
    counters.read += 1;
    return this.#callStore(() => store.read(id.id));
  }

  async #merge({ id }: SessionId, entries: SessionAttributes): Promise<void> {
    const { store, timeToLive, counters } = this.#manager;
    const outcome = await this.#callStore(() => store.merge(id, entries, { limits: sessionLimits, timeToLive }));
    if (outcome === 'stored') return;
    counters.refused += 1;
    throw new SessionError('JIG_SESSION_TOO_BIG', refusals[outcome], { limits: sessionLimits });
  }

  /** After a timeout, further calls of this request fail at once. */
  async #callStore<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.#timeout !== undefined) throw this.#timeout;
    try {
      return await call();
    } catch (error) {
      if (isLate(error)) this.#timeout = error;
      throw error;
    }
  }
}

/** Callers in JavaScript may pass numbers or objects, which a store would change or lose. */
function hasStrings(entries: ReadonlyMap<unknown, unknown>): entries is SessionAttributes {
  for (const [name, value] of entries) if (typeof name !== 'string' || typeof value !== 'string') return false;
  return true;
}

/** The attributes of the caller's session, as the bean `session`. */
export class SessionContent extends Map<string, string> {}

/** Neither creates nor extends the session. */
export async function readSessionContent(session: Session): Promise<SessionContent> {
  return new SessionContent((await session.peek())?.attributes);
}
