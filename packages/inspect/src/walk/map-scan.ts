import { hasDecimals } from './big-int.ts';
import { mapHas, mapKeys } from './intrinsics.ts';
import { primitiveName } from './markers.ts';
import type { Form } from './sink.ts';

/** How much longer it takes to look for another key of the same name than to look at a key's kind. */
const nameCost = 10;

/**
 * Looks at the keys of a map before it is written: an object unless a key is one itself or a very long number, or two
 * keys have one name, as `1` and `'1'` have. A part at a time, since a map may be big.
 */
export class MapScan {
  readonly map: Map<unknown, unknown>;
  form: Form = 'object';
  readonly #kinds = new Set<string>();
  readonly #symbolNames = new Set<string>();
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
    if (this.form === 'list' || (this.#kinds.size < 2 && !this.#kinds.has('symbol'))) return true;
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
        this.form = 'list';
        return true;
      }
      this.#kinds.add(kind);
      if (kind !== 'object') last = kind;
    }
    return false;
  }

  #compareNames(count: number): boolean {
    for (let seen = 0; seen < count; seen++) {
      const { done, value } = this.#keys.next();
      if (done === true) return true;
      if (this.#isAlone(value)) continue;
      this.form = 'list';
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
