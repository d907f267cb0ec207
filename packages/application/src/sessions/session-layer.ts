import type { Logger } from 'pino';
import type { PartHealth } from '../http/health.ts';
import { GuardedSessionStore } from './guarded-session-store.ts';
import { SessionCookie } from './session-cookie.ts';
import type { SessionSettings } from './session-settings.ts';
import type { SessionStore } from './session-store.ts';

export interface SessionLayerOptions {
  /** The name of the store, as `sessions.store` would name it. */
  readonly storeName: string;
  readonly store: SessionStore;
  readonly settings: Pick<SessionSettings, 'timeToLive' | 'storeDeadline' | 'cookieName'>;
  readonly secrets: readonly [string, ...string[]];
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

const longestTouchInterval = 60_000;

/** What all requests share to have sessions: the guarded store, the cookie, and what is counted. */
export class SessionLayer {
  readonly storeName: string;
  readonly timeToLive: number;
  readonly store: GuardedSessionStore;
  readonly cookie: SessionCookie;
  readonly counters = { created: 0, read: 0, stored: 0, refused: 0, destroyed: 0 };
  readonly #touchInterval: number;
  readonly #touching = new Set<string>();

  constructor({ storeName, store, settings, secrets, log }: SessionLayerOptions) {
    const { timeToLive, storeDeadline, cookieName } = settings;
    this.storeName = storeName;
    this.timeToLive = timeToLive;
    this.store = new GuardedSessionStore(store, { deadline: storeDeadline, log });
    this.#touchInterval = Math.min(longestTouchInterval, timeToLive / 10);
    this.cookie = new SessionCookie({ name: cookieName, secrets, timeToLive, renewInterval: this.#touchInterval });
  }

  /** Prolongs a session in the background when its last prolongation is a while ago, and says whether it did. */
  keepAlive(id: string, expires: number): boolean {
    const prolonged = expires - this.timeToLive;
    if (Date.now() - prolonged < this.#touchInterval || this.#touching.has(id)) return false;
    this.#touching.add(id);
    void this.#touch(id);
    return true;
  }

  async #touch(id: string): Promise<void> {
    try {
      await this.store.touch(id);
    } catch {
      // It is counted and logged by the guard, and the next request tries again.
    } finally {
      this.#touching.delete(id);
    }
  }

  async health(): Promise<PartHealth> {
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
