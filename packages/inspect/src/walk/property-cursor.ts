import { maskMark } from '../masking/secret-finder.ts';
import type { Cursor, Hides } from './cursor.ts';
import { threwMarker } from './markers.ts';
import { callForeign, findProperty, getterOf } from './property.ts';

/** Counting what is left exactly is not worth a stall. */
const exactlyCounted = 10_000;

/** The properties of an object, by name. */
export class PropertyCursor implements Cursor {
  readonly form = 'object';
  key = '';
  value: unknown;
  readonly #object: object;
  readonly #names: readonly string[];
  readonly #hides: Hides;
  #index = 0;

  constructor(object: object, names: readonly string[], hides: Hides) {
    this.#object = object;
    this.#names = names;
    this.#hides = hides;
  }

  next(): boolean {
    while (this.#index < this.#names.length) {
      const name = this.#names[this.#index++] as string;
      const descriptor = findProperty(this.#object, name);
      if (!isReadable(descriptor)) continue;
      const value = this.#hides(name) ? maskMark : readProperty(this.#object, descriptor);
      if (typeof value === 'function') continue;
      this.key = name;
      this.value = value;
      return true;
    }
    return false;
  }

  /** Moves to the entry of this name without reading any other. */
  seek(name: string): boolean {
    const index = this.#names.indexOf(name);
    if (index < 0) return false;
    this.#index = index;
    return this.next() && this.key === name;
  }

  remaining(): number {
    const left = this.#names.length - this.#index;
    if (left > exactlyCounted) return left;
    return this.#names.slice(this.#index).filter((name) => isReadable(findProperty(this.#object, name))).length;
  }

  has(key: string): boolean {
    return this.#names.includes(key);
  }
}

/** The value of a property that was found, or how its getter failed. */
export function readProperty(object: object, descriptor: PropertyDescriptor | undefined): unknown {
  const getter = getterOf(descriptor);
  if (getter === undefined) return descriptor?.value;
  try {
    return callForeign(getter, object);
  } catch (error) {
    return threwMarker(error);
  }
}

/** A property that is gone, that can only be set, or that is a method, is not shown. */
export function isReadable(descriptor: PropertyDescriptor | undefined): descriptor is PropertyDescriptor {
  if (descriptor === undefined) return false;
  if (getterOf(descriptor) !== undefined) return true;
  return 'value' in descriptor && typeof descriptor.value !== 'function';
}
