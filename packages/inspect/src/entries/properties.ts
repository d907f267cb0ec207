import { types } from 'node:util';
import { type ClassFacts, errorProperties, withOthers } from '../objects/classes.ts';
import type { Context } from '../objects/context.ts';
import type { PrivateFields } from '../objects/private-fields.ts';
import {
  findProperty,
  getterOf,
  isCollection,
  isDictionary,
  isMethod,
  ownNames,
  ownProperty,
} from '../objects/reflection.ts';
import { EntryCursor, indexPattern, type ReadOptions } from './entry-cursor.ts';

/** The properties of an object. A collection also has its entries as one more property. */
export class Properties extends EntryCursor {
  readonly isList = false;
  readonly #object: object;
  readonly #facts: ClassFacts;
  readonly #fields: PrivateFields;
  readonly #names: readonly string[];
  /** The name of the property with the entries of a collection. */
  readonly #entriesName: string | undefined;
  #next = 0;
  #listsMethods: boolean | undefined;

  constructor(object: object, options: ReadOptions) {
    super(options);
    const { context } = options;
    const facts = context.classOf(object);
    const isError = !facts.isOrdinary && types.isNativeError(object);
    const hasEntries = !facts.isOrdinary && isCollection(object);
    const own = isError
      ? errorProperties(object, options.stacks === true, facts)
      : hasEntries
        ? namesBesideEntries(object, context)
        : ownNames(object);
    this.#object = object;
    this.#facts = facts;
    this.#fields = context.fieldsOf(object);
    const showsGetters = options.isDataOnly !== true && typeof object !== 'function';
    const shown = showsGetters ? withOthers(own, facts.getterNames) : own;
    const names = this.#fields.size > 0 ? withOthers(shown, [...this.#fields.keys()]) : shown;
    this.#entriesName = hasEntries ? unusedName(Array.isArray(object) ? 'items' : 'entries', names) : undefined;
    this.#names = this.#entriesName === undefined ? names : [...names, this.#entriesName];
  }

  get size(): number {
    let size = 0;
    for (const name of this.#names) if (this.#isShown(this.#find(name))) size++;
    return size;
  }

  next(): boolean {
    while (this.#next < this.#names.length) if (this.#enter(this.#names[this.#next++] as string, false)) return true;
    return false;
  }

  override at(token: string): boolean {
    return this.has(token) && this.#enter(token, true);
  }

  override has(key: string): boolean {
    return this.#names.includes(key);
  }

  #enter(name: string, isRequested: boolean): boolean {
    const property = this.#find(name);
    return property !== undefined && this.enterProperty(this.#object, name, property, isRequested);
  }

  /** Methods are left out, unless there is nothing else, as in a registry of functions. */
  protected override hidesMethods(): boolean {
    if (isDictionary(this.#object)) return false;
    this.#listsMethods ??=
      typeof this.#object === 'object' && this.#names.every((name) => isMethod(this.#find(name)?.value));
    return !this.#listsMethods;
  }

  #find(name: string): PropertyDescriptor | undefined {
    if (name === this.#entriesName) return { value: entriesPlaceholder(this.#object) };
    if (this.#fields.size > 0 && this.#fields.has(name)) return { value: this.#fields.get(name) };
    return ownProperty(this.#object, name) ?? this.#facts.getters.get(name) ?? findProperty(this.#object, name);
  }

  #isShown(property: PropertyDescriptor | undefined): boolean {
    if (property === undefined) return false;
    if (getterOf(property) !== undefined) return this.options.isDataOnly !== true;
    return 'value' in property && (!isMethod(property.value) || !this.hidesMethods());
  }
}

function unusedName(name: string, names: readonly string[]): string {
  return names.includes(name) ? unusedName(`_${name}`, names) : name;
}

/** Longer lists are not checked. */
const longestList = 10_000;

/** The names of properties that a collection of a class has besides its entries. */
export function namesBesideEntries(collection: object, context: Context): readonly string[] {
  const prototype: unknown = Object.getPrototypeOf(collection);
  if (prototype === Array.prototype || prototype === Map.prototype || prototype === Set.prototype) return [];
  const isList = Array.isArray(collection);
  if (isList && collection.length > longestList) return [];
  const own = ownNames(collection).filter((name) => !(isList && indexPattern.test(name)));
  const data = own.filter((name) => !isMethod(ownProperty(collection, name)?.value));
  // A collection with entries and private fields only is shown by its entries.
  return data.length === 0 && !isEmpty(collection) ? [] : [...data, ...context.fieldsOf(collection).keys()];
}

function isEmpty(collection: object): boolean {
  if (Array.isArray(collection)) return collection.length === 0;
  return Reflect.get(types.isMap(collection) ? Map.prototype : Set.prototype, 'size', collection) === 0;
}

const entriesOf = new WeakMap<object, object>();
const collectionOf = new WeakMap<object, object>();

/** An object that represents the entries of such a collection, without its other properties. */
export function entriesPlaceholder(collection: object): object {
  let entries = entriesOf.get(collection);
  if (entries === undefined) {
    const ctor = Array.isArray(collection) ? Array : types.isMap(collection) ? Map : Set;
    entries = Object.create(ctor.prototype) as object;
    entriesOf.set(collection, entries);
    collectionOf.set(entries, collection);
  }
  return entries;
}

/** The collection whose entries an object represents, if it is such a placeholder. */
export const collectionBehind = (object: object): object | undefined => collectionOf.get(object);
