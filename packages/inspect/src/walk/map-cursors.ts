import { maskMark } from '../masking/secret-finder.ts';
import type { Cursor, Hides } from './cursor.ts';
import { mapEntries, mapGet, mapHas, mapSize } from './intrinsics.ts';
import { mapKeyName } from './map-scan.ts';
import { functionMarker } from './markers.ts';
import { PropertyCursor } from './property-cursor.ts';

/** A map whose keys are names. */
export class MapCursor implements Cursor {
  readonly form = 'object';
  key = '';
  value: unknown;
  readonly #map: Map<unknown, unknown>;
  readonly #hides: Hides;
  readonly #entries: Iterator<[unknown, unknown]>;
  #count = 0;

  constructor(map: Map<unknown, unknown>, hides: Hides) {
    this.#map = map;
    this.#hides = hides;
    this.#entries = mapEntries(map);
  }

  next(): boolean {
    const { done, value: entry } = this.#entries.next();
    if (done === true) return false;
    this.#count++;
    this.key = mapKeyName(entry[0]);
    this.value = this.#hides(this.key) ? maskMark : entry[1];
    return true;
  }

  /** Moves to the entry of this name at once; false when the name is not that of a text or a number. */
  seek(name: string): boolean {
    const numbers = /^-?\d{1,10000}$/.test(name) ? [Number(name), BigInt(name)] : [Number(name)];
    const key = [name, ...numbers].find((each) => mapHas(this.#map, each) && String(each) === name);
    if (key === undefined) return false;
    this.key = name;
    this.value = this.#hides(name) ? maskMark : mapGet(this.#map, key);
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
  readonly form = 'list';
  key = -1;
  value: unknown;
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

  /** A secret name hides the value it stands beside, as it would as a key. */
  cursor(hides: Hides): Cursor {
    const hidden = typeof this.#key === 'string' && hides(this.#key);
    const entry = { key: shown(this.#key), value: hidden ? maskMark : shown(this.#value) };
    return new PropertyCursor(entry, ['key', 'value'], () => false);
  }
}

/** A function is shown here, as in any collection, though it would be left out of an object. */
function shown(value: unknown): unknown {
  return typeof value === 'function' ? functionMarker(value) : value;
}
