import type { Masking } from '../masking/masking.ts';
import { pointerTo } from '../walk/json-pointer.ts';
import { type EntryKey, itemKey } from './encoded-key.ts';

/** Up to this depth a linear search is faster than a map. */
const linearSearchDepth = 48;

/** The open containers, from the root to the innermost, to find cycles and to name the path to each. */
export class Ancestors {
  depth = 0;
  readonly #objects: (object | undefined)[] = [];
  readonly #keys: EntryKey[] = [];
  readonly #indexes: number[] = [];
  /** Objects deeper than the linear search goes, and those whose `toJSON` made a container, by depth. */
  readonly #depths = new Map<object, number>();
  readonly #aliases = new Map<number, object>();

  /** The depth of an open container; -1 when the object is none. */
  depthOf(object: object): number {
    const few = this.depth < linearSearchDepth ? this.depth : linearSearchDepth;
    for (let depth = 0; depth < few; depth++) {
      if (this.#objects[depth] === object) return depth;
    }
    return this.#depths.size === 0 ? -1 : (this.#depths.get(object) ?? -1);
  }

  push(object: object, entryKey: EntryKey): void {
    this.#objects[this.depth] = object;
    this.#keys[this.depth] = entryKey;
    if (this.depth >= linearSearchDepth) this.#depths.set(object, this.depth);
    this.depth++;
  }

  /** Makes the innermost container stand for one more object. */
  alias(object: object): void {
    this.#depths.set(object, this.depth - 1);
    this.#aliases.set(this.depth - 1, object);
  }

  pop(): void {
    this.depth--;
    if (this.#depths.size > 0) this.#removeExtra(this.depth);
    this.#objects[this.depth] = undefined;
  }

  /** The index of the item that is written next. */
  setIndex(index: number): void {
    this.#indexes[this.depth] = index;
  }

  /** The key of an entry of the innermost container; the root has none. */
  keyOf(entryKey: EntryKey): string {
    if (this.depth === 0) return '';
    return this.#textOf(entryKey, this.depth);
  }

  /** The JSON Pointer from the root to the container at a depth. */
  pathTo(depth: number, masking: Masking): string {
    const keys: string[] = [];
    for (let each = 1; each <= depth; each++) {
      keys.push(masking.key(this.#textOf(this.#keys[each] as EntryKey, each)));
    }
    return pointerTo(keys);
  }

  #textOf(entryKey: EntryKey, depth: number): string {
    if (entryKey === itemKey) return String(this.#indexes[depth]);
    return typeof entryKey === 'object' ? entryKey.text : entryKey;
  }

  clear(): void {
    while (this.depth > 0) this.pop();
  }

  #removeExtra(depth: number): void {
    const object = this.#objects[depth];
    if (object !== undefined && depth >= linearSearchDepth) this.#depths.delete(object);
    const alias = this.#aliases.get(depth);
    if (alias === undefined) return;
    this.#depths.delete(alias);
    this.#aliases.delete(depth);
  }
}
