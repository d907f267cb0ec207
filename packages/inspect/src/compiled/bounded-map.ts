/** A Map that is cleared when it is full: keeping an order would cost more than making the few entries again. */
export class BoundedMap<Value> extends Map<string, Value> {
  readonly #capacity: number;

  constructor(capacity: number) {
    super();
    this.#capacity = capacity;
  }

  override set(key: string, value: Value): this {
    if (this.size >= this.#capacity) this.clear();
    return super.set(key, value);
  }
}
