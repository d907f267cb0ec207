import { types } from 'node:util';
import { ownProperty } from '@jig/inspect/internal';

// The kind of a value, found without running its code.

export const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** The own value of an object under a key, unless it is a getter. */
export const own = (object: object, key: PropertyKey): unknown => ownProperty(object, key)?.value;

/** The own property of an object: a value, or a getter and a setter, which are not run. */
export const partsAt = (object: object, key: PropertyKey): readonly unknown[] =>
  Object.values(ownProperty(object, key) ?? {});

export const isPlainObject = (value: object) =>
  Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null;

const builtIns = new Set<object>(
  [Array, Map, Set, WeakMap, WeakSet, Date, RegExp, Promise, Error, Function, Uint8Array, Buffer].map(
    ({ prototype }) => prototype as object,
  ),
);
export const isBuiltIn = (prototype: object) => builtIns.has(prototype);

/** A collection that belongs to its owner, not a component. */
export const isPlain = (value: object) =>
  isPlainObject(value) || Array.isArray(value) || types.isMap(value) || types.isSet(value);

/** An object without visible parts of the application. */
export const isOpaque = (value: object) =>
  types.isPromise(value) ||
  types.isNativeError(value) ||
  ArrayBuffer.isView(value) ||
  types.isModuleNamespaceObject(value);

export const shownKey = (key: PropertyKey) => (typeof key === 'symbol' ? (key.description ?? 'symbol') : String(key));

export const isNative = (code: object) => Function.prototype.toString.call(code).endsWith('{ [native code] }');

export const isBound = (code: object) => {
  const name = own(code, 'name');
  return typeof name === 'string' && name.startsWith('bound ');
};

/** The class of an object, unless the language or a proxy has made it. */
export function classOf(value: object): object | undefined {
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype || isBuiltIn(prototype) || types.isProxy(prototype))
    return undefined;
  const maker = own(prototype, 'constructor');
  return typeof maker === 'function' && !types.isProxy(maker) ? maker : undefined;
}

/** What a class gives to its objects. */
export function isPrototype(value: object): boolean {
  const maker = own(value, 'constructor');
  return typeof maker === 'function' && !types.isProxy(maker) && own(maker, 'prototype') === value;
}

/** At most so many items. */
export function first<Item>(items: Iterable<Item>, count: number): Item[] {
  const found: Item[] = [];
  for (const item of items) {
    if (found.length >= count) break;
    found.push(item);
  }
  return found;
}
