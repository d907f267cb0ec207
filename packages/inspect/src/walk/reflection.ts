import { types } from 'node:util';
import { isEnumerable, lookupGetter } from './intrinsics.ts';

/** The prototype of an object that is no proxy itself; null also where a proxy hides what comes next. */
export function visiblePrototype(object: object): object | null {
  const prototype: object | null = Object.getPrototypeOf(object);
  return prototype !== null && types.isProxy(prototype) ? null : prototype;
}

/** How many classes of an object are looked at: the nearest ones. No class extends so many, but a chain may be of any length. */
export const maxClasses = 200;

/** The nearest prototype of an object for which this is true, among those that are looked at. */
export function findClass(object: object, isIt: (prototype: object) => boolean): object | undefined {
  let holder = visiblePrototype(object);
  for (let classes = 0; holder !== null && classes < maxClasses; classes++) {
    if (isIt(holder)) return holder;
    holder = visiblePrototype(holder);
  }
  return undefined;
}

/** Whether there are classes that are not looked at. */
export function hasMoreClasses(object: object): boolean {
  let holder = visiblePrototype(object);
  for (let classes = 0; holder !== null && !isRootPrototype(holder); classes++) {
    if (classes === maxClasses) return true;
    holder = visiblePrototype(holder);
  }
  return false;
}

/** Whether an object has no class, as those that are used like a map; a module has none either, but a tag. */
export function isDictionary(object: object): boolean {
  return Object.getPrototypeOf(object) === null && !Object.hasOwn(object, Symbol.toStringTag);
}

/** `Object.prototype`, of this realm or another. */
function isRootPrototype(object: object): boolean {
  return (
    object === Object.prototype ||
    (Object.getPrototypeOf(object) === null &&
      Object.hasOwn(object, 'hasOwnProperty') &&
      Object.hasOwn(object, '__proto__'))
  );
}

/** An object that is no instance of any class. */
export function isPlainObject(object: object): boolean {
  const prototype = visiblePrototype(object);
  return prototype === null ? Object.getPrototypeOf(object) === null : isRootPrototype(prototype);
}

/** Whether an object inherits from a prototype, as far as can be seen. */
export function inheritsFrom(object: object, isIt: (prototype: object) => boolean): boolean {
  return findClass(object, isIt) !== undefined;
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
  let holder: object | null = object;
  for (let classes = 0; holder !== null && classes <= maxClasses; classes++) {
    const descriptor = ownProperty(holder, key);
    if (descriptor !== undefined) return descriptor;
    holder = visiblePrototype(holder);
  }
  return undefined;
}

export type Getter = () => unknown;

/** Which getters are run: all, those that objects have themselves and not by their class, or none. */
export type GetterPolicy = 'run' | 'own' | 'none';

/** How to get what an object holds, where somebody knows; undefined where nobody does. Runs no code of it. */
export type ContentOf = (object: object) => (() => unknown) | undefined;

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

/** The getters of an object's classes, the base class first, as its fields come first too. */
export function getterNames(object: object): string[] {
  const layers: string[][] = [];
  findClass(object, (holder) => {
    if (isRootPrototype(holder)) return true;
    layers.unshift(ownGetters(holder));
    return false;
  });
  return [...new Set(layers.flat())];
}

/** `constructor` is no property of a bean, though iterators have it as a getter (ECMAScript, section 27.1.4.1). */
export function ownGetters(prototype: object): string[] {
  const isGetter = (name: string) => name !== 'constructor' && getterOf(ownProperty(prototype, name)) !== undefined;
  return Object.getOwnPropertyNames(prototype).filter(isGetter);
}

/** What an object shows: its own enumerable properties, then the getters of its classes, also where one has left its result on the object. A function has the getters of no class. */
export function beanProperties(object: object): readonly string[] {
  const own = ownNames(object);
  if (typeof object === 'function') return own;
  const getters = getterNames(object).filter((name) => !isEnumerable(object, name));
  return getters.length === 0 ? own : [...own, ...getters];
}

/** Whether `beanProperties` has this name, without listing all. */
export function hasBeanProperty(object: object, name: string): boolean {
  if (ownProperty(object, name)?.enumerable === true) return true;
  if (typeof object === 'function' || name === 'constructor') return false;
  let isGetter = false;
  findClass(object, (holder) => {
    isGetter = !isRootPrototype(holder) && getterOf(ownProperty(holder, name)) !== undefined;
    return isGetter || isRootPrototype(holder);
  });
  return isGetter;
}

/** To list more names takes milliseconds. */
const manyNames = 10_000;

let lastListed: { readonly object: object; readonly names: readonly string[] } | undefined;

/** Keeps the names of an object for what else is done in this turn, if they are many. */
export function keepNames(object: object, names: readonly string[]): void {
  if (names.length <= manyNames) return;
  if (lastListed === undefined) queueMicrotask(forgetNames);
  lastListed = { object, names };
}

/** For work that is to see what has changed since other work of this turn. */
export function forgetNames(): void {
  lastListed = undefined;
}

/** A module that is still being loaded cannot list its names without throwing, though all of them are to be seen. */
export function ownNames(object: object): readonly string[] {
  if (lastListed?.object === object) return lastListed.names;
  try {
    const names = Object.keys(object);
    keepNames(object, names);
    return names;
  } catch {
    return Object.getOwnPropertyNames(object);
  }
}

const firstErrorProperties = ['name', 'message', 'code', 'cause', 'errors'];

/** What an error shows: who it is first, then what else it carries; its stack only when asked for. */
export function errorProperties(error: object, withStack: boolean): string[] {
  const present = firstErrorProperties.filter((name, index) => index < 2 || findProperty(error, name) !== undefined);
  const others = beanProperties(error).filter((name) => name !== 'stack');
  return [...new Set([...present, ...others, ...(withStack ? ['stack'] : [])])];
}

/** The name of a function, unless it is anonymous or hides it. */
export function functionName(value: object): string {
  if (types.isProxy(value)) return '';
  const name: unknown = Object.getOwnPropertyDescriptor(value, 'name')?.value;
  return typeof name === 'string' ? name : '';
}

/** The class of an object, by its prototype's own `constructor`, which the object itself cannot fake. */
export function className(object: object): string {
  if (types.isProxy(object)) return 'Proxy';
  let maker: unknown;
  findClass(object, (holder) => {
    maker = ownProperty(holder, 'constructor')?.value;
    return typeof maker === 'function';
  });
  return (typeof maker === 'function' && functionName(maker)) || 'Object';
}

/** The type of any value: the class of an object, the wrapper class of a primitive, `Null` for what is absent. */
export function typeName(value: unknown): string {
  switch (typeof value) {
    case 'object':
      return value === null ? 'Null' : className(value);
    case 'undefined':
      return 'Null';
    case 'function':
      if (types.isProxy(value)) return 'Proxy';
      return isFunctionWithData(value) ? `function ${functionName(value)}`.trimEnd() : 'Function';
    case 'bigint':
      return 'BigInt';
    case 'boolean':
      return 'Boolean';
    case 'number':
      return 'Number';
    case 'string':
      return 'String';
    case 'symbol':
      return 'Symbol';
  }
}

/** A property that is gone, that can only be set, or that is a method, is not shown. */
export function isReadable(descriptor: PropertyDescriptor | undefined): descriptor is PropertyDescriptor {
  if (descriptor === undefined) return false;
  return getterOf(descriptor) !== undefined || ('value' in descriptor && !isMethod(descriptor.value));
}

/** Whether a function has properties of its own to show, as an Express app has; methods are none. */
export function isFunctionWithData(value: unknown): value is object {
  if (typeof value !== 'function' || types.isProxy(value)) return false;
  const names = ownNames(value);
  if (names.length === 0) return false;
  return names.some((name) => {
    const property = ownProperty(value, name) ?? {};
    return getterOf(property) !== undefined || ('value' in property && typeof property.value !== 'function');
  });
}

/** A function that is nothing but one. */
export const isMethod = (value: unknown): boolean => typeof value === 'function' && !isFunctionWithData(value);

/** Whether a value may have entries: an object, or a function with data. */
export function mayHaveEntries(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || isFunctionWithData(value);
}
