import { types } from 'node:util';
import { dataProperty, ownProperty } from '@jig/inspect/internal';

// What can be told of a value without running its code.

export const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** The own value of an object under a key, unless it is a getter. */
export const own = (object: object, key: PropertyKey): unknown => ownProperty(object, key)?.value;

/** The own property of an object: a value, or a getter and a setter, which are not run. */
export const partsAt = (object: object, key: PropertyKey): readonly unknown[] =>
  Object.values(ownProperty(object, key) ?? {});

/** Whether an object has or inherits all of these methods. */
export const can = (object: object, ...names: readonly string[]): boolean =>
  names.every((name) => typeof dataProperty(object, name) === 'function');

export const isPlainObject = (value: object) =>
  Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null;

/** A collection that belongs to its owner, not a component. */
export const isPlain = (value: object) =>
  isPlainObject(value) || Array.isArray(value) || types.isMap(value) || types.isSet(value);

const builtIns = new Set<object | null>(
  [Object, Array, Map, Set, WeakMap, WeakSet, Date, RegExp, Promise, Error, Function, Uint8Array, Buffer].map(
    ({ prototype }) => prototype as object,
  ),
);

/** Whether a prototype is one of the language; of most others, one can see who wrote the class. */
export const isBuiltIn = (prototype: object | null) =>
  prototype === null || types.isProxy(prototype) || builtIns.has(prototype);

/** The class of an object, unless the language or a proxy has made it. */
export function classOf(value: object): object | undefined {
  const prototype: object | null = Object.getPrototypeOf(value);
  const maker = prototype === null || isBuiltIn(prototype) ? undefined : own(prototype, 'constructor');
  return typeof maker === 'function' && !types.isProxy(maker) ? maker : undefined;
}

/** Whether a function was made by the language, or by `bind()`. */
export const isNative = (code: object) => Function.prototype.toString.call(code).endsWith('{ [native code] }');

export function isBound(code: object): boolean {
  const name = own(code, 'name');
  return typeof name === 'string' && name.startsWith('bound ');
}

export const shownKey = (key: PropertyKey) => (typeof key === 'symbol' ? (key.description ?? 'symbol') : String(key));

/** The entries of a collection with their names, then the values of an object, none of which are getters. */
export function* entriesOf(value: object): Generator<readonly [name: string, value: unknown]> {
  if (types.isMap(value))
    for (const [key, entry] of Map.prototype.entries.call(value)) {
      yield [typeof key === 'string' ? key : '…', entry];
      yield ['…', key];
    }
  if (types.isSet(value)) for (const entry of Set.prototype.values.call(value)) yield ['…', entry];
  for (const key of Object.keys(value)) yield [key, own(value, key)];
}
