/** Keeps what was used lately, within a bound on the sum of what its entries weigh. */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #bound: number;
  #weight = 0;

  constructor(bound: number) {
    this.#bound = bound;
  }

  get size(): number {
    return this.#entries.size;
  }

  get weight(): number {
    return this.#weight;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // Noted rather than put at the end: a Map whose entries move all the time has to be made anew again and again.
    entry.wasUsed = true;
    return entry.value;
  }

  getOrCreate(key: string, create: () => Value): Value {
    const known = this.get(key);
    if (known !== undefined) return known;
    const created = create();
    this.set(key, created);
    return created;
  }

  set(key: string, value: Value, weight = 1): void {
    this.delete(key);
    this.#entries.set(key, { value, weight, wasUsed: false });
    this.#weight += weight;
    if (this.#weight > this.#bound) this.#shrink(key);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }

  /** The oldest go first; one that was used since it came, or since it was spared, is spared once more. */
  #shrink(newest: string): void {
    for (const [key, entry] of this.#entries) {
      if (this.#weight <= this.#bound || this.#entries.size === 1) return;
      if (entry.wasUsed || key === newest) {
        this.#entries.delete(key);
        entry.wasUsed = false;
        this.#entries.set(key, entry);
      } else this.delete(key);
    }
  }
}

interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
  wasUsed: boolean;
}
