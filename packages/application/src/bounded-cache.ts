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
    const entry = { value, weight, wasUsed: false };
    this.#entries.set(key, entry);
    this.#weight += weight;
    const isTooHeavy = () => this.#weight > this.#bound;
    if (isTooHeavy()) evict(this.#entries, entry, isTooHeavy, (oldest) => this.delete(oldest));
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }
}

interface Entry<Value> extends Evictable {
  readonly value: Value;
  readonly weight: number;
}

/** Something kept that notes when it is used: to move it to the end of its Map each time would make V8 build the Map anew again and again. */
export interface Evictable {
  wasUsed: boolean;
}

/**
 * Lets go of entries while there are too many, the oldest first; one that was used since it came, or since it was spared,
 * is spared once more. The newest stays.
 * @param remove takes an entry out of the Map
 */
export function evict<Entry extends Evictable>(
  entries: Map<string, Entry>,
  newest: Entry,
  areTooMany: () => boolean,
  remove: (key: string, entry: Entry) => void,
): void {
  for (const [key, entry] of entries) {
    if (!areTooMany() || (entry === newest && entries.size === 1)) return;
    if (entry.wasUsed || entry === newest) {
      entries.delete(key);
      entry.wasUsed = false;
      entries.set(key, entry);
    } else remove(key, entry);
  }
}
