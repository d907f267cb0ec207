/** An item in a recency list. */
export interface RecencyEntry<Item> {
  readonly item: Item;
  older: RecencyEntry<Item> | undefined;
  newer: RecencyEntry<Item> | undefined;
}

/** Items from the oldest to the newest. A linked list, since a Map used as a queue walks over the holes that deleted entries leave at its front. */
export class RecencyList<Item> {
  #oldest: RecencyEntry<Item> | undefined;
  #newest: RecencyEntry<Item> | undefined;

  get oldest(): Item | undefined {
    return this.#oldest?.item;
  }

  add(item: Item): RecencyEntry<Item> {
    const entry = { item, older: undefined, newer: undefined };
    this.#append(entry);
    return entry;
  }

  renew(entry: RecencyEntry<Item>): void {
    if (entry === this.#newest) return;
    this.remove(entry);
    this.#append(entry);
  }

  remove(entry: RecencyEntry<Item>): void {
    if (entry.older) entry.older.newer = entry.newer;
    else this.#oldest = entry.newer;
    if (entry.newer) entry.newer.older = entry.older;
    else this.#newest = entry.older;
  }

  #append(entry: RecencyEntry<Item>): void {
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest) this.#newest.newer = entry;
    else this.#oldest = entry;
    this.#newest = entry;
  }
}
