import { mapHas, mapKeys } from './intrinsics.ts';
import type { Form } from './sink.ts';

/**
 * Looks at the keys of a map before it is written: an object unless a key is one itself, or two keys have one name,
 * as `1` and `'1'` have. A part at a time, since a map may be big.
 */
export class MapScan {
  readonly map: Map<unknown, unknown>;
  form: Form = 'object';
  readonly #keys: Iterator<unknown>;
  #names: Set<string> | undefined;

  constructor(map: Map<unknown, unknown>) {
    this.map = map;
    this.#keys = mapKeys(map);
  }

  /** Looks at up to so many keys; true when all were seen. */
  advance(count: number): boolean {
    for (let seen = 0; seen < count; seen++) {
      const { done, value } = this.#keys.next();
      if (done === true) return true;
      if (typeof value !== 'string' && !this.#isName(value)) {
        this.form = 'list';
        return true;
      }
    }
    return false;
  }

  #isName(key: unknown): boolean {
    switch (typeof key) {
      case 'object':
        return key === null && !this.#has('null');
      case 'function':
        return false;
      case 'symbol':
        return this.#isNewName(String(key));
      case 'bigint':
        return !this.#has(String(key)) && !(this.#has(Number(key)) && String(Number(key)) === String(key));
      case 'number':
      case 'boolean':
      case 'undefined':
        return !this.#has(String(key));
      case 'string':
        return true;
    }
  }

  #isNewName(name: string): boolean {
    this.#names ??= new Set();
    if (this.#has(name) || this.#names.has(name)) return false;
    this.#names.add(name);
    return true;
  }

  #has(key: unknown): boolean {
    return mapHas(this.map, key);
  }
}

/** The name that a map's key is written under. */
export function mapKeyName(key: unknown): string {
  // An object can only turn up here when it was added after the keys were looked at.
  return typeof key === 'object' && key !== null ? '[Object]' : typeof key === 'function' ? '[Function]' : String(key);
}
