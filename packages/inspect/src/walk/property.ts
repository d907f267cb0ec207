import { types } from 'node:util';
import { lookupGetter } from './intrinsics.ts';

/** The prototype of an object that is no proxy itself; null also where a proxy hides what comes next. */
export function visiblePrototype(object: object): object | null {
  const prototype: object | null = Object.getPrototypeOf(object);
  return prototype !== null && types.isProxy(prototype) ? null : prototype;
}

/** `Object.prototype`, of this realm or another. */
export function isRootPrototype(object: object): boolean {
  return (
    object === Object.prototype ||
    (Object.getPrototypeOf(object) === null &&
      Object.hasOwn(object, 'hasOwnProperty') &&
      Object.hasOwn(object, '__proto__'))
  );
}

/** Whether an object inherits from a prototype, as far as can be seen. */
export function inheritsFrom(object: object, isIt: (prototype: object) => boolean): boolean {
  let holder = visiblePrototype(object);
  while (holder !== null && !isIt(holder)) holder = visiblePrototype(holder);
  return holder !== null;
}

/**
 * An own property. A module that is still being loaded throws when asked for what it has not set yet, and so does an
 * error whose stack cannot be told; then it is a getter that throws the same.
 */
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

/** The descriptor that reading a property would use, found without reading it; the object is no proxy. */
export function findProperty(object: object, key: PropertyKey): PropertyDescriptor | undefined {
  for (let holder: object | null = object; holder !== null; holder = visiblePrototype(holder)) {
    const descriptor = ownProperty(holder, key);
    if (descriptor !== undefined) return descriptor;
  }
  return undefined;
}

/** Thrown in the place of firing a trap. */
export const proxyMet = new Error('a proxy is not called');

/** Calls code of a bean, unless it is a proxy, which would fire its trap. */
export function callForeign(code: unknown, target: object, parameters: readonly unknown[] = []): unknown {
  if (typeof code !== 'function') throw new TypeError('what should be called is no function');
  if (types.isProxy(code)) throw proxyMet;
  return Reflect.apply(code, target, parameters);
}

/** Reads a property as the language does, but fires no trap on the way. */
export function getProperty(object: object, key: PropertyKey): unknown {
  if (types.isProxy(object)) throw proxyMet;
  const descriptor = findProperty(object, key);
  const getter = getterOf(descriptor);
  return getter === undefined ? descriptor?.value : callForeign(getter, object);
}

export type Getter = () => unknown;

export function getterOf(descriptor: PropertyDescriptor | undefined): Getter | undefined {
  return descriptor === undefined ? undefined : (Reflect.get(descriptor, 'get') as Getter | undefined);
}

/** Whether reading an own property would call a proxy. */
export function hasProxiedGetter(object: object, key: PropertyKey): boolean {
  const getter = lookupGetter.call(object, key);
  return getter !== undefined && types.isProxy(getter);
}

/** A data property's value, without running any code of the object's. */
export function dataProperty(object: object, key: PropertyKey): unknown {
  return findProperty(object, key)?.value;
}
