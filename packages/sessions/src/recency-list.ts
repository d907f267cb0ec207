/** One item's place in a recency list. */
export interface RecencyPlace<Item> {
  readonly item: Item;
  older: RecencyPlace<Item> | undefined;
  newer: RecencyPlace<Item> | undefined;
}

/** Items from the oldest to the newest. A linked list, since a Map used as a queue walks over the holes that deleted entries leave at its front. */
export class RecencyList<Item> {
  #oldest: RecencyPlace<Item> | undefined;
  #newest: RecencyPlace<Item> | undefined;

  get oldest(): Item | undefined {
    return this.#oldest?.item;
  }

  add(item: Item): RecencyPlace<Item> {
    const place = { item, older: undefined, newer: undefined };
    this.#append(place);
    return place;
  }

  renew(place: RecencyPlace<Item>): void {
    if (place === this.#newest) return;
    this.remove(place);
    this.#append(place);
  }

  remove(place: RecencyPlace<Item>): void {
    if (place.older) place.older.newer = place.newer;
    else this.#oldest = place.newer;
    if (place.newer) place.newer.older = place.older;
    else this.#newest = place.older;
  }

  #append(place: RecencyPlace<Item>): void {
    place.older = this.#newest;
    place.newer = undefined;
    if (this.#newest) this.#newest.newer = place;
    else this.#oldest = place;
    this.#newest = place;
  }
}
