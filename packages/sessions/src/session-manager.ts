import { sessionLimits } from './attributes.ts';
import { SessionError } from './errors.ts';
import { GuardedSessionStore, type SessionLog } from './guarded-session-store.ts';
import { SessionCookie } from './session-cookie.ts';
import type { SessionRecord, SessionStore } from './session-store.ts';

export interface SessionManagerOptions {
  /** Signs the cookies, at least 32 characters each: the first signs, all are accepted. */
  readonly secret: string | readonly [string, ...string[]];
  readonly store: SessionStore;
  /** The name of the store in logs, statistics and health. */
  readonly storeName: string;
  /** How long a session lives after its last request, in milliseconds; 30 minutes by default. */
  readonly timeToLive?: number | undefined;
  /** How long a request waits for the store, in milliseconds; 1,500 by default. */
  readonly storeDeadline?: number | undefined;
  /** `jig-session` by default; with the prefix `__Host-` over HTTPS. */
  readonly cookieName?: string | undefined;
  readonly log: SessionLog;
}

const defaultTimeToLive = 30 * 60_000;
const defaultStoreDeadline = 1500;
const longestTouchInterval = 60_000;
const shortestSecret = 32;

/** What all requests share: the guarded store, the cookie and the counters. */
export class SessionManager {
  readonly storeName: string;
  readonly timeToLive: number;
  readonly store: GuardedSessionStore;
  readonly cookie: SessionCookie;
  readonly counters = { created: 0, read: 0, stored: 0, refused: 0, destroyed: 0 };
  readonly #touchInterval: number;
  readonly #touching = new Set<string>();

  constructor({ secret, store, storeName, log, ...options }: SessionManagerOptions) {
    const {
      timeToLive = defaultTimeToLive,
      storeDeadline = defaultStoreDeadline,
      cookieName = 'jig-session',
    } = options;
    const secrets = parseSecrets(secret);
    this.storeName = storeName;
    this.timeToLive = positive('timeToLive', timeToLive);
    this.store = new GuardedSessionStore(checkStore(store, storeName), {
      deadline: positive('storeDeadline', storeDeadline),
      log,
    });
    this.#touchInterval = Math.min(longestTouchInterval, timeToLive / 10);
    if (!/^[\w-]{1,64}$/.test(cookieName)) throw invalid('cookieName', 'a name of letters, digits, - and _');
    this.cookie = new SessionCookie({ name: cookieName, secrets, timeToLive });
  }

  /** Extends a session in the background if that was not done recently, and returns whether it does. */
  keepAlive(id: string, { expires, timeLeft = expires - Date.now() }: SessionRecord): boolean {
    if (this.timeToLive - timeLeft < this.#touchInterval || this.#touching.has(id)) return false;
    this.#touching.add(id);
    void this.#touch(id);
    return true;
  }

  async #touch(id: string): Promise<void> {
    try {
      await this.store.touch(id, this.timeToLive);
    } catch {
      // The guard counts and logs it; the next request tries again.
    } finally {
      this.#touching.delete(id);
    }
  }

  /** Whether the store answers and takes writes. */
  async health() {
    const details = { store: this.storeName };
    const state = await this.store.check();
    if (state !== 'refuses writes') return { ok: state === 'ready', state, details };
    const meaning =
      'Sessions are read, but nothing can be stored until the store takes writes again; the log says why.';
    return { ok: false, state, details: { ...details, meaning } };
  }

  stop(): void {
    this.store.stop();
  }
}

const storeMethods = ['read', 'merge', 'touch', 'destroy', 'count'] as const;

/** Checked at the start: during a request, a missing method would look like a store that failed. */
export function checkStore(given: unknown, name: string): SessionStore {
  const store = given as SessionStore | null | undefined;
  const missing = storeMethods.filter((method) => typeof store?.[method] !== 'function');
  if (store && missing.length === 0) return store;
  throw invalid('store', `a session store; ${name} has no ${missing.join(', ')}`);
}

function parseSecrets(secret: unknown): readonly [string, ...string[]] {
  const [first, ...others] = Array.isArray(secret) ? (secret as unknown[]) : [secret];
  const isStrong = (each: unknown): each is string => typeof each === 'string' && each.length >= shortestSecret;
  if (!isStrong(first) || !others.every(isStrong))
    throw invalid('secret', `a string of at least ${shortestSecret} characters, or a list of such strings`);
  return [first, ...others];
}

function positive(option: string, value: number): number {
  if (!Number.isFinite(value) || value <= 0) throw invalid(option, 'a number of milliseconds above 0');
  return value;
}

function invalid(option: string, expected: string): SessionError {
  return new SessionError('JIG_SESSION_OPTION_INVALID', `The option ${option} of the sessions must be ${expected}.`, {
    option,
    expected,
  });
}

/** A summary of all sessions, without their content. */
export class Sessions {
  readonly store: string;
  readonly available: boolean;
  /** The number of sessions; `null` if the store does not answer. */
  readonly live: number | null;
  /** In milliseconds after the last request. */
  readonly timeToLive: number;
  readonly limits = sessionLimits;
  /** Since the start of this process. */
  readonly counters: Readonly<Record<string, number>>;

  private constructor({ store, storeName, timeToLive, counters }: SessionManager, live: number | null) {
    this.store = storeName;
    this.available = live !== null && store.state === 'ready';
    this.live = live;
    this.timeToLive = timeToLive;
    this.counters = { ...counters, failed: store.failures };
  }

  static async of(manager: SessionManager): Promise<Sessions> {
    const live = await manager.store.count().catch(() => null);
    return new Sessions(manager, live);
  }
}
