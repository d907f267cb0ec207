import { types } from 'node:util';
import { dataProperty, ownProperty } from '@jig/inspect/internal';

// What can be read of a value without running its code.

export const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** The own value of an object under a key, unless it is a getter. */
export const own = (object: object, key: PropertyKey): unknown => ownProperty(object, key)?.value;

/** The parts of an own property's descriptor: a value, or a getter and a setter, which are not run. */
export const descriptorParts = (object: object, key: PropertyKey): readonly unknown[] =>
  Object.values(ownProperty(object, key) ?? {});

/** Whether an object has or inherits all of these methods. */
export const hasMethods = (object: object, ...names: readonly string[]): boolean =>
  names.every((name) => typeof dataProperty(object, name) === 'function');

export const isPlainObject = (value: object) =>
  Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null;

/** Whether a value is a plain collection, which belongs to its owner and is not a component. */
export const isPlain = (value: object) =>
  isPlainObject(value) || Array.isArray(value) || types.isMap(value) || types.isSet(value);

const builtIns = new Set<object | null>(
  [Object, Array, Map, Set, WeakMap, WeakSet, Date, RegExp, Promise, Error, Function, Uint8Array, Buffer].map(
    ({ prototype }) => prototype as object,
  ),
);

/** Whether a prototype is one of the language; for most others, the file of the class can be found. */
export const isBuiltIn = (prototype: object | null) =>
  prototype === null || types.isProxy(prototype) || builtIns.has(prototype);

/** The class of an object; undefined for classes of the language and for proxies. */
export function classOf(value: object): object | undefined {
  const prototype: object | null = Object.getPrototypeOf(value);
  const maker = prototype === null || isBuiltIn(prototype) ? undefined : own(prototype, 'constructor');
  return typeof maker === 'function' && !types.isProxy(maker) ? maker : undefined;
}

/** Whether a function is built in, or was made by `bind()`. */
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
