import { nothing, type Secrecy } from '../masking/secret-key.ts';
import type { ContainerKind, Cursor, SecrecyOf } from './cursors.ts';
import { mapEntries, mapGet, mapHas, mapKeys, mapSize } from './intrinsics.ts';
import { hasDecimals, primitiveName } from './markers.ts';

/** How much longer it takes to look for another key of the same name than to look at a key's kind. */
const nameCost = 10;

/**
 * Looks at the keys of a map before it is written: an object unless a key is one itself or a very long number, or two
 * keys have one name, as `1` and `'1'` have. A part at a time, since a map may be big.
 */
export class MapScan {
  readonly map: Map<unknown, unknown>;
  kind: ContainerKind = 'object';
  /** A handful at most; most maps have one, and many are small, so there is no set for them. */
  readonly #kinds: string[] = [];
  #symbolNames: Set<string> | undefined;
  #keys: Iterator<unknown>;
  #isComparing = false;

  constructor(map: Map<unknown, unknown>) {
    this.map = map;
    this.#keys = mapKeys(map);
  }

  /** Does so much work at most; true when all is known. */
  advance(work: number): boolean {
    if (this.#isComparing) return this.#compareNames(work / nameCost);
    if (!this.#gatherKinds(work)) return false;
    if (this.kind === 'list' || (this.#kinds.length < 2 && this.#kinds[0] !== 'symbol')) return true;
    this.#isComparing = true;
    this.#keys = mapKeys(this.map);
    return this.#compareNames(work / nameCost);
  }

  /** Keys of one kind have different names, all but symbols, so that most maps need no closer look. */
  #gatherKinds(count: number): boolean {
    let last = '';
    for (let seen = 0; seen < count; seen++) {
      const { done, value } = this.#keys.next();
      if (done === true) return true;
      const kind = typeof value;
      if (kind === last && kind !== 'bigint') continue;
      if (kind === 'function' || (kind === 'object' && value !== null) || isLongNumber(value)) {
        this.kind = 'list';
        return true;
      }
      if (!this.#kinds.includes(kind)) this.#kinds.push(kind);
      if (kind !== 'object') last = kind;
    }
    return false;
  }

  #compareNames(count: number): boolean {
    for (let seen = 0; seen < count; seen++) {
      const { done, value } = this.#keys.next();
      if (done === true) return true;
      if (this.#isAlone(value)) continue;
      this.kind = 'list';
      return true;
    }
    return false;
  }

  /** Whether no key of another kind, and no symbol before it, has the same name. */
  #isAlone(key: unknown): boolean {
    if (typeof key === 'string') return true;
    const name = mapKeyName(key);
    if (mapHas(this.map, name)) return false;
    if (typeof key === 'bigint') return !mapHas(this.map, Number(key)) || String(Number(key)) !== name;
    if (typeof key !== 'symbol') return true;
    this.#symbolNames ??= new Set();
    const isNew = !this.#symbolNames.has(name);
    this.#symbolNames.add(name);
    return isNew;
  }
}

/** The name that a map's key is written under. */
export function mapKeyName(key: unknown): string {
  if (typeof key === 'string') return key;
  // What is no name can only turn up here when it was added after the keys were looked at.
  if (typeof key === 'object' && key !== null) return '[Object]';
  return typeof key === 'function' ? '[Function]' : primitiveName(key);
}

/** A number with too many digits to be a name. */
function isLongNumber(key: unknown): boolean {
  return typeof key === 'bigint' && !hasDecimals(key);
}

/** A map whose keys are names. */
export class MapCursor implements Cursor {
  readonly kind = 'object';
  key = '';
  value: unknown;
  readonly mark = undefined;
  secrecy: Secrecy = nothing;
  readonly #map: Map<unknown, unknown>;
  readonly #secrecyOf: SecrecyOf;
  readonly #entries: Iterator<[unknown, unknown]>;
  #count = 0;

  constructor(map: Map<unknown, unknown>, secrecyOf: SecrecyOf) {
    this.#map = map;
    this.#secrecyOf = secrecyOf;
    this.#entries = mapEntries(map);
  }

  next(): boolean {
    const { done, value: entry } = this.#entries.next();
    if (done === true) return false;
    this.#count++;
    this.#enter(mapKeyName(entry[0]), entry[1]);
    return true;
  }

  skip(count: number): number {
    const before = this.#count;
    while (this.#count - before < count && this.#entries.next().done !== true) this.#count++;
    return this.#count - before;
  }

  #enter(name: string, value: unknown): void {
    this.key = name;
    this.secrecy = this.#secrecyOf(name);
    this.value = value;
  }

  /** Moves to the entry of this name at once; false when the name is not that of a text or a number. */
  seek(name: string): boolean {
    const numbers = /^-?\d{1,10000}$/.test(name) ? [Number(name), BigInt(name)] : [Number(name)];
    const key = [name, ...numbers].find((each) => mapHas(this.#map, each) && String(each) === name);
    if (key === undefined) return false;
    this.#enter(name, mapGet(this.#map, key));
    return true;
  }

  remaining(): number {
    return Math.max(0, mapSize(this.#map) - this.#count);
  }

  has(key: string): boolean {
    return mapHas(this.#map, key);
  }
}

/** A map with keys that are no names: a list of `{ key, value }`. */
export class MapEntryListCursor implements Cursor {
  readonly kind = 'list';
  key = -1;
  value: unknown;
  readonly mark = undefined;
  readonly secrecy = nothing;
  readonly #map: Map<unknown, unknown>;
  readonly #entries: Iterator<[unknown, unknown]>;

  constructor(map: Map<unknown, unknown>) {
    this.#map = map;
    this.#entries = mapEntries(map);
  }

  next(): boolean {
    const { done, value: entry } = this.#entries.next();
    if (done === true) return false;
    this.key++;
    this.value = new MapEntry(entry[0], entry[1]);
    return true;
  }

  skip(count: number): number {
    const before = this.key;
    while (this.key - before < count && this.#entries.next().done !== true) this.key++;
    return this.key - before;
  }

  remaining(): number {
    return Math.max(0, mapSize(this.#map) - this.key - 1);
  }

  has(): boolean {
    return false;
  }
}

/** One entry of such a map; it is of the walk's own making, so it is recognised by its brand. */
export class MapEntry {
  readonly #key: unknown;
  readonly #value: unknown;

  constructor(key: unknown, value: unknown) {
    this.#key = key;
    this.#value = value;
  }

  static isOne(object: object): object is MapEntry {
    return #key in object;
  }

  /** A secret name hides the value it stands beside, as it would as a key; a symbol has a name too. */
  cursor(secrecyOf: SecrecyOf): Cursor {
    return new MapEntryCursor(this.#key, this.#value, () => secrecyOf(mapKeyName(this.#key)));
  }
}

/** The two entries of one; a function is shown here, as in any collection, though it would be left out of an object. */
class MapEntryCursor implements Cursor {
  readonly kind = 'object';
  key = '';
  value: unknown;
  readonly mark = undefined;
  secrecy: Secrecy = nothing;
  readonly #values: readonly [unknown, unknown];
  readonly #valueSecrecy: () => Secrecy;
  #count = 0;

  constructor(key: unknown, value: unknown, valueSecrecy: () => Secrecy) {
    this.#values = [key, value];
    this.#valueSecrecy = valueSecrecy;
  }

  next(): boolean {
    const name = entryNames[this.#count];
    if (name === undefined) return false;
    this.key = name;
    this.value = this.#values[this.#count++];
    this.secrecy = name === 'value' ? this.#valueSecrecy() : nothing;
    return true;
  }

  skip(count: number): number {
    const skipped = Math.min(count, this.remaining());
    this.#count += skipped;
    return skipped;
  }

  remaining(): number {
    return entryNames.length - this.#count;
  }

  has(key: string): boolean {
    return entryNames.includes(key);
  }
}

const entryNames = ['key', 'value'];
