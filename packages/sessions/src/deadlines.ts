import { RecencyList } from './recency-list.ts';

interface Waiting {
  readonly until: number;
  expire(): void;
}

/**
 * One deadline for many short waits. All are equally long, so the oldest ends first and one timer does for all;
 * a timer for each costs more than a session needs for everything else.
 */
export class Deadlines {
  /** In milliseconds. */
  readonly span: number;
  readonly #waiting = new RecencyList<Waiting>();
  #isTimed = false;

  constructor(span: number) {
    this.span = span;
  }

  /** Calls back when the span is over. What is given back ends the wait, and says whether it was in time. */
  begin(expire: () => void): () => boolean {
    let isOver = false;
    const end = (): boolean => {
      if (isOver) return false;
      isOver = true;
      this.#waiting.remove(place);
      return true;
    };
    const until = performance.now() + this.span;
    const place = this.#waiting.add({ until, expire: () => void (end() && expire()) });
    if (!this.#isTimed) this.#wake(this.span);
    return end;
  }

  #wake(span: number): void {
    this.#isTimed = true;
    // After a stall of this process, answers may be waiting in its sockets: one turn of the loop lets them come first.
    setTimeout(() => setImmediate(() => this.#expire()), span).unref();
  }

  #expire(): void {
    const now = performance.now();
    for (let oldest = this.#waiting.oldest; oldest && oldest.until <= now; oldest = this.#waiting.oldest) {
      oldest.expire();
    }
    this.#isTimed = false;
    const next = this.#waiting.oldest;
    if (next) this.#wake(next.until - now);
  }
}
