import { types } from 'node:util';
import { quietPromise } from './bean-properties.ts';
import type { Cursor } from './cursor.ts';
import { setSize, setValues } from './intrinsics.ts';
import { threwMarker } from './markers.ts';
import { dataProperty, findProperty, getterOf } from './property.ts';

/** An array, by index; it may grow and shrink meanwhile. */
export class ArrayCursor implements Cursor {
  readonly form = 'list';
  key = -1;
  value: unknown;
  readonly #array: readonly unknown[];

  constructor(array: readonly unknown[]) {
    this.#array = array;
  }

  next(): boolean {
    if (this.key + 1 >= this.#array.length) return false;
    this.key++;
    this.value = elementOf(this.#array, this.key);
    return true;
  }

  remaining(): number {
    return Math.max(0, this.#array.length - this.key - 1);
  }

  has(): boolean {
    return false;
  }

  seek(index: number): boolean {
    if (index >= this.#array.length) return false;
    this.key = index;
    this.value = elementOf(this.#array, index);
    return true;
  }
}

function elementOf(array: readonly unknown[], index: number): unknown {
  const own = Object.getOwnPropertyDescriptor(array, index);
  const getter = getterOf(own);
  if (getter === undefined) return own?.value;
  try {
    const value: unknown = Reflect.apply(getter, array, []);
    quietPromise(value);
    return value;
  } catch (error) {
    return threwMarker(error);
  }
}

export class SetCursor implements Cursor {
  readonly form = 'list';
  key = -1;
  value: unknown;
  readonly #set: Set<unknown>;
  readonly #values: Iterator<unknown>;

  constructor(set: Set<unknown>) {
    this.#set = set;
    this.#values = setValues(set);
  }

  next(): boolean {
    const { done, value } = this.#values.next();
    if (done === true) return false;
    this.key++;
    this.value = value;
    return true;
  }

  remaining(): number {
    return Math.max(0, setSize(this.#set) - this.key - 1);
  }

  has(): boolean {
    return false;
  }
}

/** Any other iterable that knows its length, which is also the most that is taken from it. */
export class IterableCursor implements Cursor {
  readonly form = 'list';
  key = -1;
  value: unknown;
  readonly #length: number;
  readonly #iterate: () => Iterator<unknown>;
  #iterator: Iterator<unknown> | undefined;
  #ended = false;

  constructor(length: number, iterate: () => Iterator<unknown>) {
    this.#length = length;
    this.#iterate = iterate;
  }

  next(): boolean {
    if (this.#ended || this.key + 1 >= this.#length) {
      this.close();
      return false;
    }
    try {
      this.#iterator ??= this.#iterate();
      const { done, value } = this.#iterator.next();
      if (done === true) {
        this.#ended = true;
        return false;
      }
      quietPromise(value);
      this.value = value;
    } catch (error) {
      this.#ended = true;
      this.value = threwMarker(error);
    }
    this.key++;
    return true;
  }

  remaining(): number {
    return this.#ended ? 0 : Math.max(0, this.#length - this.key - 1);
  }

  has(): boolean {
    return false;
  }

  close(): void {
    if (this.#ended) return;
    this.#ended = true;
    try {
      this.#iterator?.return?.();
    } catch {
      // The list is complete as it is.
    }
  }
}

/** The cursor of an object that has both a length and an iterator. What iterates over itself would be used up by looking. */
export function iterableCursor(object: object): IterableCursor | undefined {
  const iterate: unknown = findProperty(object, Symbol.iterator)?.value;
  if (typeof iterate !== 'function' || types.isProxy(iterate)) return undefined;
  if (typeof dataProperty(object, 'next') === 'function') return undefined;
  const length = lengthOf(object);
  if (length === undefined) return undefined;
  return new IterableCursor(length, () => Reflect.apply(iterate, object, []) as Iterator<unknown>);
}

function lengthOf(object: object): number | undefined {
  const descriptor = findProperty(object, 'length');
  const getter = getterOf(descriptor);
  let length: unknown = descriptor?.value;
  if (getter !== undefined) {
    try {
      length = Reflect.apply(getter, object, []);
    } catch {
      return undefined;
    }
  }
  return typeof length === 'number' && Number.isSafeInteger(length) && length >= 0 ? length : undefined;
}
