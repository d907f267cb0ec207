import { classMarker } from '../objects/markers.ts';
import { pairOf } from '../objects/reflection.ts';
import { primitiveText } from '../objects/shown-text.ts';
import { EntryCursor, type ReadOptions } from './entry-cursor.ts';
import { Values } from './lists.ts';

export const mapSize = (map: object): number => Reflect.get(Map.prototype, 'size', map) as number;

/** How many keys are checked before a map is read; the rest is assumed to be alike. */
const maxCheckedKeys = 100_000;

/** Whether the keys can be names: none is an object, and no two have the same text, as `1` and `'1'` do. */
function hasNames(map: Map<unknown, unknown>): boolean {
  const kinds: string[] = [];
  let count = 0;
  for (const key of Map.prototype.keys.call(map)) {
    if (++count > maxCheckedKeys) break;
    const kind = typeof key;
    if (kind === kinds[0] && kind !== 'object') continue;
    if ((kind === 'object' && key !== null) || kind === 'function') return false;
    if (!kinds.includes(kind)) kinds.push(kind);
  }
  if (kinds.length < 2 && kinds[0] !== 'symbol') return true;
  const names = [...Map.prototype.keys.call(map)].slice(0, maxCheckedKeys).map(primitiveText);
  return new Set(names).size === names.length;
}

/** A map whose keys cannot be names becomes a list of `{ key, value }`. */
export function mapOf(map: Map<unknown, unknown>, options: ReadOptions): EntryCursor {
  return hasNames(map) ? new MapEntries(map, options) : new Values(mapSize(map), pairs(map), options);
}

function* pairs(map: Map<unknown, unknown>): Generator<object> {
  for (const [key, value] of Map.prototype.entries.call(map)) yield pairOf(key, value);
}

/** A map whose keys are names. */
class MapEntries extends EntryCursor {
  readonly isList = false;
  readonly #map: Map<unknown, unknown>;
  readonly #entries: Iterator<[unknown, unknown]>;

  constructor(map: Map<unknown, unknown>, options: ReadOptions) {
    super(options);
    this.#map = map;
    this.#entries = Map.prototype.entries.call(map);
  }

  get size(): number {
    return mapSize(this.#map);
  }

  next(): boolean {
    const { done, value } = this.#entries.next();
    if (done === true) return false;
    const [key, item] = value;
    // Only the first keys were checked, so an object may come later.
    const isObject = (typeof key === 'object' && key !== null) || typeof key === 'function';
    return this.enter(isObject ? classMarker(key) : primitiveText(key), item);
  }

  override at(token: string): boolean {
    const key = [token, Number(token)].find((each) => this.has(each) && String(each) === token);
    return key === undefined ? super.at(token) : this.enter(token, Map.prototype.get.call(this.#map, key));
  }

  override has(key: string | number): boolean {
    return Map.prototype.has.call(this.#map, key);
  }
}
