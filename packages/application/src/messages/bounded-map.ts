/** A map that forgets the entry unused for longest when it holds more than its capacity. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  getOrCreate(key: Key, create: () => Value): Value {
    const known = this.#entries.get(key);
    if (known !== undefined) this.#entries.delete(key);
    const value = known ?? create();
    this.#entries.set(key, value);
    if (this.#entries.size > this.#capacity) this.#forgetOldest();
    return value;
  }

  #forgetOldest(): void {
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key);
      return;
    }
  }
}
