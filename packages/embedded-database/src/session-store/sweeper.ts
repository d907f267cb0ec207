/** Removes what has expired every now and then; who reads or counts does not see it in the meantime. */
export class Sweeper {
  readonly #sweep: () => Promise<void>;
  readonly #interval: number;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(sweep: () => Promise<void>, interval: number) {
    this.#sweep = sweep;
    this.#interval = interval;
  }

  start(): void {
    // Instances that were started together shall not sweep together.
    const pause = this.#interval * (0.75 + Math.random() / 2);
    this.#timer = setTimeout(() => {
      // A database that is away now will be there at the next sweep.
      this.#sweeping = this.#sweep().catch(() => {});
      void this.#sweeping.then(() => this.#timer !== undefined && this.start());
    }, pause).unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#sweeping;
  }
}
