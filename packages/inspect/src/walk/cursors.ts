import { types } from 'node:util';
import type { Masking } from '../masking/masking.ts';
import { everything, nothing, type Secrecy, texts } from '../masking/secret-key.ts';
import { namesNextItem } from '../masking/text-rules.ts';
import {
  callBeanCode,
  getProperty,
  getterResult,
  isMadeAnew,
  propertyValue,
  readProperty,
  unrunMarker,
} from './bean-code.ts';
import { lookupGetter, nativeNextMethods, setSize, setValues } from './intrinsics.ts';
import { classLimitMarker, moreKey, newMarker, threwMarker } from './markers.ts';
import { shownPrivateFields } from './private-fields.ts';
import {
  dataProperty,
  findProperty,
  type Getter,
  getterOf,
  hasMoreClasses,
  isDictionary,
  isMethod,
  isReadable,
  ownProperty,
} from './reflection.ts';

/** Iterates over the entries of one container, so that a walk can pause between any two. */
export interface Cursor {
  readonly kind: ContainerKind;
  /** The key of the entry it stands on; in a list, its index. */
  readonly key: string | number;
  readonly value: unknown;
  /** Why the value is a marker, if it is one; `new` is an object in whose place one is to be shown. */
  readonly mark: EntryMark | undefined;
  /** What of the value must not be shown, by its key; where that is everything, it is not read. */
  readonly secrecy: Secrecy;
  /** Moves to the next entry; false when there is none. Never throws. */
  next(): boolean;
  /** Moves past so many entries, and tells how many there were. Reads none that it can pass without. */
  skip(count: number): number;
  /** How many entries are left. */
  remaining(): number;
  /** Whether the container has an entry of this name, so that a marker can avoid it. */
  has(key: string): boolean;
  /** Releases what it holds when the walk ends early. */
  close?(): void;
}

export type EntryMark = 'threw' | 'limit' | 'new' | 'getter';

/** What of the value behind a key must not be shown. */
export type SecrecyOf = (key: string) => Secrecy;

/** Counting what is left exactly is not worth a stall. */
const maxCountedExactly = 10_000;

/** A key for a marker that the container does not have itself. */
export function freeKey(container: Pick<Cursor, 'has'>): string {
  let key = moreKey;
  while (container.has(key)) key = `_${key}`;
  return key;
}

/** The value that a cursor stands on, or the marker in its place. */
export function shownValueOf({ value, mark }: Pick<Cursor, 'value' | 'mark'>): unknown {
  return mark === 'new' ? newMarker(value as object) : value;
}

/** The properties of an object, by name. */
export class PropertyCursor implements Cursor {
  readonly kind = 'object';
  key = '';
  value: unknown;
  mark: EntryMark | undefined;
  secrecy: Secrecy = nothing;
  readonly #object: object;
  readonly #names: readonly string[];
  readonly #secrecyOf: SecrecyOf;
  #index: number;
  readonly #isDictionary: boolean;
  readonly #private: ReadonlyMap<string, unknown>;
  /** Whether the end has been reached, where a marker may stand for classes that are not looked at. */
  #hasEnded = false;

  constructor(object: object, names: readonly string[], secrecyOf: SecrecyOf, index = 0) {
    this.#object = object;
    this.#private = shownPrivateFields(object);
    this.#names = this.#private.size === 0 ? names : [...new Set([...names, ...this.#private.keys()])];
    this.#secrecyOf = secrecyOf;
    this.#index = index;
    this.#isDictionary = isDictionary(object);
  }

  next(): boolean {
    while (this.#index < this.#names.length) {
      if (this.#enter(this.#names[this.#index++] as string)) return true;
    }
    const hasMarker = this.#hasMarker();
    this.#hasEnded = true;
    if (!hasMarker) return false;
    this.key = freeKey(this);
    this.value = classLimitMarker;
    this.mark = 'limit';
    return true;
  }

  #hasMarker(): boolean {
    return !this.#hasEnded && hasMoreClasses(this.#object);
  }

  /** False when there is nothing to show under this name. */
  #enter(name: string, isWanted = false): boolean {
    const descriptor = this.#find(name);
    if (!this.#isShown(descriptor)) return false;
    this.#read(name, descriptor, isWanted);
    this.key = name;
    return this.#isDictionary || !isMethod(this.value);
  }

  #find(name: string): PropertyDescriptor | undefined {
    return this.#private.has(name) ? { value: this.#private.get(name) } : findProperty(this.#object, name);
  }

  /** A function is a method of an object, but data of a dictionary. */
  #isShown(descriptor: PropertyDescriptor | undefined): descriptor is PropertyDescriptor {
    return (this.#isDictionary && typeof descriptor?.value === 'function') || isReadable(descriptor);
  }

  #read(name: string, descriptor: PropertyDescriptor, isWanted: boolean): void {
    const getter = getterOf(descriptor);
    this.secrecy = this.#secrecyOf(name);
    this.mark = undefined;
    try {
      if (this.secrecy === everything) this.value = undefined;
      else if (getter === undefined) this.value = descriptor.value;
      else this.#run(getter, Object.hasOwn(this.#object, name), isWanted);
    } catch (error) {
      this.value = threwMarker(error);
      this.mark = 'threw';
    }
  }

  #run(getter: Getter, isOwn: boolean, isWanted: boolean): void {
    this.value = getterResult(getter, this.#object, isOwn, isWanted);
    if (unrunMarker(getter, this.#object, isOwn, isWanted) !== undefined) this.mark = 'getter';
    else if (!isWanted && isMadeAnew(this.value, this.#object, getter)) this.mark = 'new';
  }

  /** What a getter returns must be known, since a method is not an entry. */
  skip(count: number): number {
    let skipped = 0;
    while (skipped < count && this.#index < this.#names.length) {
      const descriptor = this.#find(this.#names[this.#index] as string);
      if (getterOf(descriptor) !== undefined) {
        if (!this.next()) break;
        skipped++;
        continue;
      }
      this.#index++;
      if (this.#isShown(descriptor)) skipped++;
    }
    return skipped;
  }

  /** Moves to the entry of this name without reading any other. Its getter is wanted then, whatever it did before. */
  seek(name: string): boolean {
    const index = this.#names.indexOf(name);
    this.#index = index + 1;
    return index >= 0 && this.#enter(name, true);
  }

  remaining(): number {
    const left = this.#names.length - this.#index;
    if (left > maxCountedExactly) return left;
    const names = this.#names.slice(this.#index).filter((name) => this.#isShown(this.#find(name)));
    return names.length + (this.#hasMarker() ? 1 : 0);
  }

  has(key: string): boolean {
    return this.#names.includes(key);
  }
}

/** An array, by index; it may grow and shrink meanwhile. */
export class ArrayCursor implements Cursor {
  readonly kind = 'list';
  key = -1;
  value: unknown;
  mark: EntryMark | undefined;
  readonly #array: readonly unknown[];

  constructor(array: readonly unknown[]) {
    this.#array = array;
  }

  next(): boolean {
    return this.seek(this.key + 1);
  }

  get secrecy(): Secrecy {
    return typeof this.value === 'string' && isNamedBefore(this.#array, this.key) ? texts : nothing;
  }

  skip(count: number): number {
    const skipped = Math.min(count, this.remaining());
    this.key += skipped;
    return skipped;
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
    this.mark = undefined;
    try {
      this.value = propertyValue(this.#array, Object.getOwnPropertyDescriptor(this.#array, index));
    } catch (error) {
      this.value = threwMarker(error);
      this.mark = 'threw';
    }
    return true;
  }
}

/** Whether the item before this one says that this is a secret. Runs no getter. */
export function isNamedBefore(array: readonly unknown[], index: number): boolean {
  if (index === 0 || lookupGetter.call(array, index - 1) !== undefined) return false;
  return namesItem(array[index - 1], index, array);
}

const argumentNames: ReadonlySet<string> = new Set(['args', 'arguments', 'params', 'parameters']);
const tellingKeys: ReadonlySet<string> = new Set(['value', 'values', 'kty', ...argumentNames]);
const longestTellingKey = 10;

/** Keys that may make what stands beside or behind them a secret. */
export const isTellingKey = (key: string | number): boolean =>
  typeof key === 'string' && key.length <= longestTellingKey && tellingKeys.has(key);

/** The private parts of a JSON Web Key (RFC 7518, section 6). */
const privateParts: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']);

/** Calls whose arguments are credentials, unlike those of `getTokens`. */
const secretCall =
  /^(?:(?:set|with|use)_?)?(?:(?:basic|bearer|proxy|access|api|client)_?)?(?:auth|authenticate|authorization|login|password|secret|token|bearer|credentials|cookie|(?:api|private|secret)_?key)$/i;

/** Whether an object says that a value of it is a secret: `{ name: 'password', value: '…' }`, `{ fn: 'auth', args: […] }`, `{ kty: 'EC', d: '…' }`. */
export function isNamedBeside(object: object, name: string, value: unknown, masking: Masking): boolean {
  if (typeof value === 'string' && privateParts.has(name)) return typeof besideValue(object, 'kty') === 'string';
  if (typeof value !== 'string' && !Array.isArray(value)) return false;
  if (name === 'value' || (name === 'values' && typeof value === 'object'))
    return saysSo(object, ['name', 'key'], (told) => masking.secrecyOf(told, () => '') !== nothing);
  return (
    typeof value === 'object' &&
    argumentNames.has(name) &&
    saysSo(object, ['fn', 'method', 'name', 'command'], (told) => secretCall.test(told))
  );
}

function saysSo(object: object, keys: readonly string[], isIt: (told: string) => boolean): boolean {
  return keys.some((key) => {
    const told = besideValue(object, key);
    return typeof told === 'string' && isIt(told);
  });
}

const besideValue = (object: object, key: string): unknown => ownProperty(object, key)?.value;

/** Whether this item says that the one behind it, at an index, is a secret. */
export function namesItem(before: unknown, index: number, array: readonly unknown[]): boolean {
  return typeof before === 'string' && namesNextItem(before, index - 1, array.length);
}

export class SetCursor implements Cursor {
  readonly kind = 'list';
  key = -1;
  value: unknown;
  readonly mark = undefined;
  readonly secrecy = nothing;
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

  skip(count: number): number {
    const before = this.key;
    while (this.key - before < count && this.#values.next().done !== true) this.key++;
    return this.key - before;
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
  readonly kind = 'list';
  key = -1;
  value: unknown;
  mark: EntryMark | undefined;
  readonly secrecy = nothing;
  readonly #length: number;
  readonly #iterate: () => unknown;
  #iterator: object | undefined;
  #nextMethod: unknown;
  #ended = false;

  constructor(length: number, iterate: () => unknown) {
    this.#length = length;
    this.#iterate = iterate;
  }

  next(): boolean {
    if (this.#ended || this.key + 1 >= this.#length) {
      this.close();
      return false;
    }
    try {
      this.#iterator ??= this.#begin();
      const { done, value } = nextOf(this.#iterator, this.#nextMethod);
      if (done) {
        this.#ended = true;
        return false;
      }
      this.value = value;
    } catch (error) {
      this.#ended = true;
      this.value = threwMarker(error);
      this.mark = 'threw';
    }
    this.key++;
    return true;
  }

  skip(count: number): number {
    let skipped = 0;
    while (skipped < count && this.next()) skipped++;
    return skipped;
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
    if (this.#iterator === undefined) return;
    try {
      const end = getProperty(this.#iterator, 'return');
      if (end !== undefined) callBeanCode(end, this.#iterator);
    } catch {
      // The list is complete as it is.
    }
  }

  #begin(): object {
    const iterator = objectOf(this.#iterate());
    this.#nextMethod = getProperty(iterator, 'next');
    return iterator;
  }
}

function nextOf(iterator: object, next: unknown): { readonly done?: unknown; readonly value: unknown } {
  const result = objectOf(callBeanCode(next, iterator));
  if (nativeNextMethods.has(next)) return result as IteratorResult<unknown>;
  const done = getProperty(result, 'done');
  return { done, value: done ? undefined : getProperty(result, 'value') };
}

function objectOf(value: unknown): object {
  if ((typeof value === 'object' && value !== null) || typeof value === 'function') return value;
  throw new TypeError('an iterator must be an object, and so must what its next() returns');
}

/** The cursor of an object that has both a length and an iterator. What iterates over itself would be used up by looking. */
export function iterableCursor(object: object): IterableCursor | undefined {
  if (typeof object === 'function') return undefined;
  const iterate: unknown = findProperty(object, Symbol.iterator)?.value;
  if (typeof iterate !== 'function' || types.isProxy(iterate)) return undefined;
  if (typeof dataProperty(object, 'next') === 'function') return undefined;
  const length = lengthOf(object);
  if (length === undefined) return undefined;
  return new IterableCursor(length, () => callBeanCode(iterate, object));
}

function lengthOf(object: object): number | undefined {
  const length = readProperty(object, findProperty(object, 'length'), Object.hasOwn(object, 'length'));
  return typeof length === 'number' && Number.isSafeInteger(length) && length >= 0 ? length : undefined;
}

export type ContainerKind = 'object' | 'list';

/** Entries that are passed over between two looks at the clock. */
const skipStep = 64;
const skipMs = 5;

/** Moves past some of so many entries, and tells how many are still to be passed over: none where there are no more. */
export function skipSome(cursor: Cursor, count: number): number {
  if (cursor instanceof IterableCursor) return skipMade(cursor, count);
  const some = cursor instanceof ArrayCursor ? count : Math.min(count, skipStep);
  return cursor.skip(some) < some ? 0 : count - some;
}

/** Entries are made by code of the bean, which may take long for each. */
function skipMade(cursor: IterableCursor, count: number): number {
  const last = Math.max(0, count - skipStep);
  const end = performance.now() + skipMs;
  let left = count;
  while (left > last && performance.now() < end) {
    if (cursor.skip(1) === 0) return 0;
    left--;
  }
  return left;
}
