import { types } from 'node:util';
import { indexPattern } from './container.ts';
import type { Context } from './context.ts';
import { isMethod, ownNames, ownProperty } from './reflection.ts';

/** Arrays, maps and sets of any class. */
export const isCollection = (object: object): boolean =>
  Array.isArray(object) || types.isMap(object) || types.isSet(object);

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

/** Stands for the entries alone of such a collection. */
export function entriesAlone(collection: object): object {
  let entries = entriesOf.get(collection);
  if (entries === undefined) {
    const maker = Array.isArray(collection) ? Array : types.isMap(collection) ? Map : Set;
    entries = Object.create(maker.prototype) as object;
    entriesOf.set(collection, entries);
    collectionOf.set(entries, collection);
  }
  return entries;
}

/** The collection whose entries an object stands for. */
export const collectionBehind = (object: object): object | undefined => collectionOf.get(object);
