import type { SessionLayer } from './session-layer.ts';
import { sessionLimits } from './session-limits.ts';
import type { SessionLimits } from './session-store.ts';

/** What there is to know of all sessions together, at one moment; nothing of what anybody keeps in them. */
export class Sessions {
  readonly #layer: SessionLayer;
  /** How many live; `null` when the store does not answer. */
  readonly live: number | null;

  private constructor(layer: SessionLayer, live: number | null) {
    this.#layer = layer;
    this.live = live;
  }

  static async of(layer: SessionLayer): Promise<Sessions> {
    try {
      return new Sessions(layer, await layer.store.count());
    } catch {
      return new Sessions(layer, null);
    }
  }

  get store(): string {
    return this.#layer.storeName;
  }

  get available(): boolean {
    return this.live !== null && this.#layer.store.state === 'ready';
  }

  /** In milliseconds after the last request. */
  get timeToLive(): number {
    return this.#layer.timeToLive;
  }

  get limits(): SessionLimits {
    return sessionLimits;
  }

  /** Since the start of this process. */
  get counters(): Readonly<Record<string, number>> {
    return { ...this.#layer.counters, failed: this.#layer.store.failures };
  }
}
