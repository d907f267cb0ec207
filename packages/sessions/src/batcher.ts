import { tooLate } from './deadline.ts';
import { isDamagedSession } from './errors.ts';

export interface BatcherOptions<Item, Answer> {
  /**
   * Does it for all at once; gives the answers in the same order, an `Error` for each item that failed alone. If it rejects, nothing was
   * done, and after a `DamagedSessionError` each half is tried alone.
   */
  readonly run: (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>;
  /** Whether an item may join those that are to go together already; the first always may, and all where this is missing. */
  readonly mayJoin?: (item: Item, others: readonly Item[]) => boolean;
  /** How many batches may be under way at the same time. */
  readonly concurrency: number;
  readonly maximumSize: number;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly deadline: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * What is asked while others are under way goes together in one round trip and, for writes, one commit. When little is asked, each
 * goes at once and alone.
 */
export class Batcher<Item, Answer> {
  readonly #options: BatcherOptions<Item, Answer>;
  #waiting: Waiting<Item, Answer>[] = [];
  #underWay = 0;
  #isScheduled = false;

  constructor(options: BatcherOptions<Item, Answer>) {
    this.#options = options;
  }

  /** What still waits at its deadline, by `performance.now()`, is not sent, and rejects. */
  ask(item: Item, deadline = Number.POSITIVE_INFINITY): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, deadline, resolve, reject });
      this.#schedule();
    });
  }

  /** Everything that this turn of the event loop brings shall go together. */
  #schedule(): void {
    if (this.#isScheduled || this.#underWay >= this.#options.concurrency) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#sendAll();
    });
  }

  /** What is too much for one batch goes in others beside it, as far as they may be under way; what may not join it waits for its end. */
  #sendAll(): void {
    const { concurrency, maximumSize } = this.#options;
    let isFull = true;
    while (isFull && this.#waiting.length > 0 && this.#underWay < concurrency) {
      const batch = this.#take();
      isFull = batch.length === maximumSize;
      if (batch.length > 0) void this.#send(batch);
    }
  }

  async #send(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    this.#underWay++;
    try {
      await this.#run(batch);
    } finally {
      this.#underWay--;
      if (this.#waiting.length > 0) this.#schedule();
    }
  }

  /** A damaged session fails a batch as a whole, which must not fail the others in it. */
  async #run(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#options.run(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const answer = answers[index];
        if (answer instanceof Error) reject(answer);
        else resolve(answer as Answer);
      }
    } catch (error) {
      const middle = Math.floor(batch.length / 2);
      if (middle > 0 && isDamagedSession(error))
        for (const half of [batch.slice(0, middle), batch.slice(middle)]) await this.#run(half);
      else for (const { reject } of batch) reject(error);
    }
  }

  #take(): Waiting<Item, Answer>[] {
    const { mayJoin = () => true, maximumSize } = this.#options;
    const batch: Waiting<Item, Answer>[] = [];
    const items: Item[] = [];
    const left: Waiting<Item, Answer>[] = [];
    const now = performance.now();
    for (const each of this.#waiting) {
      if (now >= each.deadline) {
        each.reject(tooLate());
        continue;
      }
      const joins = batch.length === 0 || (batch.length < maximumSize && mayJoin(each.item, items));
      (joins ? batch : left).push(each);
      if (joins) items.push(each.item);
    }
    this.#waiting = left;
    return batch;
  }
}
