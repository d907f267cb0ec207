import type { Masking } from '../masking/masking.ts';
import { pointerTo } from '../walk/json-pointer.ts';
import { itemLabel, type Label } from './label.ts';

/** Up to here a look at each is quicker than a map. */
const searchedOneByOne = 48;

/** The open containers, from the root to the innermost, to find cycles and to name the way to any of them. */
export class Ancestors {
  depth = 0;
  readonly #objects: (object | undefined)[] = [];
  readonly #labels: (Label | string)[] = [];
  readonly #indexes: number[] = [];
  /** The objects below the first few, and those whose `toJSON` made a container, by depth. */
  readonly #others = new Map<object, number>();
  readonly #aliases = new Map<number, object>();

  /** The depth of an open container; -1 when the object is none. */
  depthOf(object: object): number {
    const few = this.depth < searchedOneByOne ? this.depth : searchedOneByOne;
    for (let depth = 0; depth < few; depth++) {
      if (this.#objects[depth] === object) return depth;
    }
    return this.#others.size === 0 ? -1 : (this.#others.get(object) ?? -1);
  }

  push(object: object, label: Label | string): void {
    this.#objects[this.depth] = object;
    this.#labels[this.depth] = label;
    if (this.depth >= searchedOneByOne) this.#others.set(object, this.depth);
    this.depth++;
  }

  /** Has the innermost container stand for a further object. */
  alias(object: object): void {
    this.#others.set(object, this.depth - 1);
    this.#aliases.set(this.depth - 1, object);
  }

  pop(): void {
    this.depth--;
    if (this.#others.size > 0) this.#forget(this.depth);
    this.#objects[this.depth] = undefined;
  }

  /** Notes the index of the item that is about to be written. */
  standOn(index: number): void {
    this.#indexes[this.depth] = index;
  }

  /** The key of an entry of the innermost container; the root has none. */
  keyOf(label: Label | string): string {
    if (this.depth === 0) return '';
    if (label === itemLabel) return String(this.#indexes[this.depth]);
    return typeof label === 'object' ? label.key : label;
  }

  /** The JSON Pointer from the root to the container at a depth. */
  pathTo(depth: number, masking: Masking): string {
    const keys: string[] = [];
    for (let each = 1; each <= depth; each++) {
      const label = this.#labels[each] as Label | string;
      const key = label === itemLabel ? String(this.#indexes[each]) : typeof label === 'object' ? label.key : label;
      keys.push(masking.key(key));
    }
    return pointerTo(keys);
  }

  clear(): void {
    while (this.depth > 0) this.pop();
  }

  #forget(depth: number): void {
    const object = this.#objects[depth];
    if (object !== undefined && depth >= searchedOneByOne) this.#others.delete(object);
    const alias = this.#aliases.get(depth);
    if (alias === undefined) return;
    this.#others.delete(alias);
    this.#aliases.delete(depth);
  }
}
