/** A cache of recently used entries, bounded by the sum of their weights; `lru-cache` has slower hits and cannot count what pages share. */
export class BoundedCache<Value, Key extends string | number = string> {
  readonly #entries = new Map<Key, Entry<Value>>();
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

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.wasUsed = true;
    return entry.value;
  }

  getOrCreate(key: Key, create: () => Value): Value {
    const known = this.get(key);
    if (known !== undefined) return known;
    const created = create();
    this.set(key, created);
    return created;
  }

  set(key: Key, value: Value, weight = 1): void {
    this.delete(key);
    const entry = { value, weight, wasUsed: false };
    this.#entries.set(key, entry);
    this.#weight += weight;
    const isTooLarge = () => this.#weight > this.#bound;
    if (isTooLarge()) evict(this.#entries, entry, isTooLarge, (oldest) => this.delete(oldest));
  }

  delete(key: Key): void {
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

/** An entry that records its use. Moving it to the end of its Map on each use would make V8 rehash the Map again and again. */
export interface Evictable {
  wasUsed: boolean;
}

/**
 * Evicts entries while there are too many, the oldest first. An entry that was used since it was added or last spared is spared once
 * (the second-chance algorithm). The newest stays.
 * @param remove takes an entry out of the Map
 */
export function evict<Key, Entry extends Evictable>(
  entries: Map<Key, Entry>,
  newest: Entry,
  areTooMany: () => boolean,
  remove: (key: Key, entry: Entry) => void,
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
