import { types } from 'node:util';

/** The prototype of an object that is not a proxy; null if that is a proxy. */
export function visiblePrototype(object: object): object | null {
  const prototype: object | null = Object.getPrototypeOf(object);
  if (prototype === null || prototype === Object.prototype) return prototype;
  return types.isProxy(prototype) ? null : prototype;
}

/** The nearest prototype that matches. */
export function findClass(object: object, matches: (prototype: object) => boolean): object | undefined {
  for (let prototype = visiblePrototype(object); prototype !== null; prototype = visiblePrototype(prototype))
    if (matches(prototype)) return prototype;
  return undefined;
}

/** Whether an object inherits from a matching prototype, up to the first proxy. */
export function inheritsFrom(object: object, matches: (prototype: object) => boolean): boolean {
  return findClass(object, matches) !== undefined;
}

/** Whether an object has no prototype and is no module. */
export function isDictionary(object: object): boolean {
  return Object.getPrototypeOf(object) === null && !Object.hasOwn(object, Symbol.toStringTag);
}

/** Entries of maps whose keys cannot be names. */
const pairs = new WeakSet<object>();

export function pairOf(key: unknown, value: unknown): object {
  const pair = Object.assign(Object.create(null) as object, { key, value });
  pairs.add(pair);
  return pair;
}

/** Whether an object is such an entry. Its key is not secret, even under a secret key. */
export const isPair = (object: unknown): object is object => pairs.has(object as object);

/** `Object.prototype`, of this realm or another. */
export function isRootPrototype(object: object): boolean {
  return (
    object === Object.prototype || (Object.getPrototypeOf(object) === null && Object.hasOwn(object, 'hasOwnProperty'))
  );
}

/** An object without a class. */
export function isPlainObject(object: object): boolean {
  const prototype = visiblePrototype(object);
  return prototype === null ? Object.getPrototypeOf(object) === null : isRootPrototype(prototype);
}

/** An own property. Exports of a module that is still loading throw; they become getters that throw. */
export function ownProperty(object: object, key: PropertyKey): PropertyDescriptor | undefined {
  try {
    return Object.getOwnPropertyDescriptor(object, key);
  } catch (error) {
    const get = () => {
      throw error;
    };
    return { get, enumerable: true, configurable: true };
  }
}

/** The descriptor that reading a property would use. The object must not be a proxy. */
export function findProperty(object: object, key: PropertyKey): PropertyDescriptor | undefined {
  for (let holder: object | null = object; holder !== null; holder = visiblePrototype(holder)) {
    const descriptor = ownProperty(holder, key);
    if (descriptor !== undefined) return descriptor;
  }
  return undefined;
}

export type Getter = () => unknown;

/** Which getters are run: all, only `own` ones and not those of classes, or none. */
export type GetterPolicy = 'run' | 'own' | 'none';

/**
 * How to read the content of an object; undefined if no view matches. Runs no code of it.
 * @param showsNothing whether nothing else of it is visible
 */
export type ContentOf = (object: object, showsNothing?: boolean) => (() => unknown) | undefined;

export function getterOf(descriptor: PropertyDescriptor | undefined): Getter | undefined {
  return (descriptor as { readonly get?: Getter } | undefined)?.get;
}

/** The value of a data property. Runs no code of the object. */
export function dataProperty(object: object, key: PropertyKey): unknown {
  return findProperty(object, key)?.value;
}

/** A module that is still loading throws when its names are listed. */
export function ownNames(object: object): readonly string[] {
  try {
    return Object.keys(object);
  } catch {
    return Object.getOwnPropertyNames(object);
  }
}

/** The name of a function, unless it is anonymous or hides it. */
export function functionName(value: object): string {
  if (types.isProxy(value)) return '';
  const name: unknown = Object.getOwnPropertyDescriptor(value, 'name')?.value;
  return typeof name === 'string' ? name : '';
}

/** The class of an object, by its prototype's own `constructor`. */
export function className(object: object): string {
  if (types.isProxy(object)) return 'Proxy';
  if (Object.getPrototypeOf(object) === Object.prototype) return 'Object';
  const prototype = findClass(object, (each) => typeof ownProperty(each, 'constructor')?.value === 'function');
  const ctor = prototype && (ownProperty(prototype, 'constructor')?.value as object);
  return (ctor && functionName(ctor)) || 'Object';
}

/** The type of any value: the class of an object, the wrapper class of a primitive, or `Null`. */
export function typeName(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'String';
    case 'number':
      return 'Number';
    case 'boolean':
      return 'Boolean';
    case 'bigint':
      return 'BigInt';
    case 'symbol':
      return 'Symbol';
    case 'undefined':
      return 'Null';
    case 'object':
      return value === null ? 'Null' : className(value);
    case 'function':
      if (types.isProxy(value)) return 'Proxy';
      return isFunctionWithData(value) ? `function ${functionName(value)}`.trimEnd() : 'Function';
  }
}

/** Whether a function has own properties to show, besides methods, as an Express app has. */
export function isFunctionWithData(value: unknown): value is object {
  if (typeof value !== 'function' || types.isProxy(value)) return false;
  return ownNames(value).some((name) => {
    const property = ownProperty(value, name) ?? {};
    return property.get !== undefined || ('value' in property && typeof property.value !== 'function');
  });
}

/** A function without such properties. */
export const isMethod = (value: unknown): boolean => typeof value === 'function' && !isFunctionWithData(value);

/** Whether a value may have entries: an object, or a function with data. */
export function mayHaveEntries(value: unknown): value is object {
  return typeof value === 'object' ? value !== null : typeof value === 'function' && isFunctionWithData(value);
}

/** Arrays, maps and sets of any class. */
export const isCollection = (object: object): boolean =>
  Array.isArray(object) || types.isMap(object) || types.isSet(object);
