/** Keeps the most recently used entries. */
export class Cache<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string, make: () => Value): Value {
    const value = this.#entries.get(key) ?? make();
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.size > this.#max ? this.#entries.keys() : [];
    if (oldest !== undefined) this.#entries.delete(oldest);
    return value;
  }
}
