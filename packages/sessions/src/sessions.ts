import { sessionLimits } from './session-limits.ts';
import type { SessionManager } from './session-manager.ts';
import type { SessionLimits } from './session-store.ts';

/** What there is to know of all sessions together, at one moment; nothing of what anybody keeps in them. */
export class Sessions {
  readonly #manager: SessionManager;
  /** How many live; `null` when the store does not answer. */
  readonly live: number | null;

  private constructor(manager: SessionManager, live: number | null) {
    this.#manager = manager;
    this.live = live;
  }

  static async of(manager: SessionManager): Promise<Sessions> {
    try {
      return new Sessions(manager, await manager.store.count());
    } catch {
      return new Sessions(manager, null);
    }
  }

  get store(): string {
    return this.#manager.storeName;
  }

  get available(): boolean {
    return this.live !== null && this.#manager.store.state === 'ready';
  }

  /** In milliseconds after the last request. */
  get timeToLive(): number {
    return this.#manager.timeToLive;
  }

  get limits(): SessionLimits {
    return sessionLimits;
  }

  /** Since the start of this process. */
  get counters(): Readonly<Record<string, number>> {
    return { ...this.#manager.counters, failed: this.#manager.store.failures };
  }
}
