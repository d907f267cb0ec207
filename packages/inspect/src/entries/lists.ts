import { types } from 'node:util';
import { noSecret, textsSecret } from '../masking/secret-key.ts';
import { callBeanCode, getProperty, runGetter, thrownMarker } from '../objects/bean-code.ts';
import type { Context } from '../objects/context.ts';
import { getterMarker } from '../objects/markers.ts';
import { dataProperty, findProperty, type Getter, getterOf, ownProperty } from '../objects/reflection.ts';
import { EntryCursor, indexPattern, type ReadOptions } from './entry-cursor.ts';
import { namesNextItem } from './named-values.ts';

/** How many items of an iterator may be skipped. */
const maxSkipped = 1_000_000;

/** The getter of an item, if it has one. Faster than reading its descriptor. */
const getterAt = Function.prototype.call.bind(Reflect.get(Object.prototype, '__lookupGetter__') as () => unknown) as (
  items: readonly unknown[],
  index: number,
) => Getter | undefined;

/** An array. */
export class Items extends EntryCursor {
  readonly isList = true;
  readonly #items: readonly unknown[];
  #next = 0;
  /** The item before the current one. */
  #prior: unknown;

  constructor(items: readonly unknown[], options: ReadOptions) {
    super(options);
    this.#items = items;
  }

  get size(): number {
    return this.#items.length;
  }

  next(): boolean {
    return this.#next < this.#items.length && this.#enter(this.#next++);
  }

  override at(token: string): boolean {
    this.#moveTo(indexPattern.test(token) ? Number(token) : this.#items.length);
    return this.next();
  }

  override skip(count: number): number {
    const skipped = Math.max(0, Math.min(count, this.#items.length - this.#next));
    this.#moveTo(this.#next + skipped);
    return skipped;
  }

  #moveTo(index: number): void {
    this.#next = index;
    this.#prior = ownProperty(this.#items, index - 1)?.value;
  }

  #enter(index: number): true {
    const items = this.#items;
    const isOwn = Object.hasOwn(items, index);
    const getter = isOwn ? getterAt(items, index) : undefined;
    this.mark = undefined;
    if (getter === undefined) this.enter(index, isOwn ? items[index] : undefined);
    else if (!this.enterProperty(items, index, { get: getter }, false)) {
      // Only data is read, so the getter was not run.
      this.mark = 'getter';
      this.enter(index, getterMarker);
    }
    // The item before may be its name, as in `rawHeaders`: `['Cookie', 'a=b']`.
    if (typeof this.value === 'string' && this.secrecy === noSecret && namesNextItem(this.#prior, index, items.length))
      this.secrecy = textsSecret;
    this.#prior = getter === undefined ? this.value : undefined;
    return true;
  }
}

/** The values of a built-in iterator. */
export class Values extends EntryCursor {
  readonly isList = true;
  readonly size: number;
  readonly #values: Iterator<unknown>;
  #index = 0;

  constructor(size: number, values: Iterator<unknown>, options: ReadOptions) {
    super(options);
    this.size = size;
    this.#values = values;
  }

  next(): boolean {
    const { done, value } = this.#values.next();
    return done !== true && this.enter(this.#index++, value);
  }
}

/** An object with a length and its own iterator, of which at most `length` values are taken. */
export class Iterated extends EntryCursor {
  readonly isList = true;
  readonly size: number;
  readonly #object: object;
  #iterator: object | undefined;
  #next: unknown;
  #index = 0;
  #hasEnded = false;

  constructor(size: number, object: object, options: ReadOptions) {
    super(options);
    this.size = size;
    this.#object = object;
    this.hasRunCode = true;
  }

  next(): boolean {
    if (this.#index >= this.size) this.close();
    if (this.#hasEnded) return false;
    try {
      const iterator = this.#start();
      const result = objectOf(callBeanCode(this.#next, iterator));
      if (getProperty(result, 'done')) {
        this.#hasEnded = true;
        return false;
      }
      return this.enter(this.#index++, getProperty(result, 'value'));
    } catch (error) {
      this.#hasEnded = true;
      this.key = this.#index;
      this.value = thrownMarker(error);
      this.mark = 'threw';
      this.secrecy = noSecret;
      return true;
    }
  }

  override at(token: string): boolean {
    this.isUnreached = indexPattern.test(token) && Number(token) > maxSkipped;
    return !this.isUnreached && super.at(token);
  }

  override skip(count: number): number {
    this.isUnreached = this.#index + count > maxSkipped;
    return this.isUnreached ? 0 : super.skip(count);
  }

  override close(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#iterator === undefined) return;
    try {
      const finish = getProperty(this.#iterator, 'return');
      if (finish !== undefined) callBeanCode(finish, this.#iterator);
    } catch {
      // The entries that were read remain valid.
    }
  }

  #start(): object {
    if (this.#iterator !== undefined) return this.#iterator;
    const iterator = objectOf(callBeanCode(dataProperty(this.#object, Symbol.iterator), this.#object));
    this.#next = getProperty(iterator, 'next');
    this.#iterator = iterator;
    return iterator;
  }
}

function objectOf(value: unknown): object {
  if (typeof value === 'object' && value !== null) return value;
  throw new TypeError('an iterator must be an object, and so must what its next() returns');
}

/**
 * The length of an object with an iterator. Iterators themselves do not count, since reading would consume them.
 * If only data may be read, it is 0: the object is still a list, but its iterator must not run.
 */
export function listLength(object: object, context: Context, isDataOnly = false): number | undefined {
  if (typeof object === 'function' || !hasIterator(object, context)) return undefined;
  if (typeof dataProperty(object, 'next') === 'function') return undefined;
  const property = findProperty(object, 'length');
  const getter = getterOf(property);
  if (getter !== undefined && isDataOnly) return 0;
  const length = getter === undefined ? property?.value : runGetter(getter, object, 'length', context).value;
  if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) return undefined;
  return isDataOnly ? 0 : length;
}

function hasIterator(object: object, context: Context): boolean {
  if (context.classOf(object).isOrdinary && !Object.hasOwn(object, Symbol.iterator)) return false;
  const iterate = dataProperty(object, Symbol.iterator);
  return typeof iterate === 'function' && !types.isProxy(iterate);
}
