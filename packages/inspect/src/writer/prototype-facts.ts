import { types } from 'node:util';
import { getterResult, type KnownGetter, knownGetter, unproxiedResult } from '../walk/bean-code.ts';
import { opaquePrototypes } from '../walk/built-in.ts';
import { builtInTag } from '../walk/intrinsics.ts';
import { MapEntry } from '../walk/map-cursors.ts';
import { proxyMarker, threwMarker } from '../walk/markers.ts';
import {
  className,
  findProperty,
  type Getter,
  getterOf,
  maxClasses,
  ownGetters,
  ownProperty,
} from '../walk/reflection.ts';
import type { EncodedKey } from './encoded-key.ts';

/** A getter that a class gives to its objects. */
export interface ClassGetter {
  readonly name: string;
  readonly property: PropertyDescriptor;
  /** Undefined where it is not to be called. */
  readonly known: KnownGetter | undefined;
  /** Its name as it is written, once that is known. */
  key: EncodedKey | undefined;
}

/** What a prototype tells of its objects, as long as no other code runs; `special` is whatever needs a closer look. */
export interface PrototypeFacts {
  readonly kind: 'object' | 'map' | 'date' | 'special';
  readonly getters: readonly ClassGetter[];
}

const special: PrototypeFacts = { kind: 'special', getters: [] };

/** Asking for one of them loads all of them, which takes megabytes and leaves a global; who has an object of it has loaded them. */
const fetchClasses = new Set(
  'FormData Headers Request Response WebSocket CloseEvent ErrorEvent EventSource MessageEvent'.split(' '),
);

function isFetchClass(prototype: object): boolean {
  const name = className(prototype);
  const maker = fetchClasses.has(name) ? (Reflect.get(globalThis, name) as { readonly prototype?: object }) : undefined;
  return maker?.prototype === prototype;
}

/** Built-in classes keep their data where only a look at the instance itself finds it. */
const builtInClasses: ReadonlySet<object> = new Set(
  Object.getOwnPropertyNames(globalThis)
    .filter((name) => /^[A-Z]/.test(name) && name !== 'Object' && !fetchClasses.has(name))
    .map((name) => Object.getOwnPropertyDescriptor(globalThis, name)?.value as unknown)
    .filter((value) => typeof value === 'function')
    .map((value) => (value as { prototype?: object }).prototype)
    .filter((prototype) => prototype !== undefined),
);

const map: PrototypeFacts = { kind: 'map', getters: [] };
const date: PrototypeFacts = { kind: 'date', getters: [] };
const object: PrototypeFacts = { kind: 'object', getters: [] };

export function factsOf(prototype: object | null): PrototypeFacts {
  if (prototype === Date.prototype) return date;
  if (Object.hasOwn(Object.prototype, 'toJSON') || Object.hasOwn(Object.prototype, Symbol.iterator)) return special;
  if (prototype === Map.prototype) return isAsBuiltIn(prototype) ? map : special;
  return prototype === Object.prototype ? object : factsOfClass(prototype);
}

/** Whether a built-in class is as the language has it, as far as it matters here. */
export function isAsBuiltIn(prototype: object): boolean {
  if (Object.getPrototypeOf(prototype) !== Object.prototype) return false;
  return !Object.hasOwn(prototype, 'toJSON') && !Object.hasOwn(Object.prototype, 'toJSON');
}

/** The getters of a class and of those that it extends, the base class first, as its fields come first too. */
function factsOfClass(prototype: object | null): PrototypeFacts {
  const layers: string[][] = [];
  let holder = prototype;
  for (; holder !== Object.prototype; holder = Object.getPrototypeOf(holder) as object | null) {
    if (
      layers.length === maxClasses ||
      holder === null ||
      types.isProxy(holder) ||
      builtInClasses.has(holder) ||
      isFetchClass(holder) ||
      opaquePrototypes().has(holder)
    ) {
      return special;
    }
    const keys = Reflect.ownKeys(holder);
    if (keys.includes('toJSON') || keys.includes(Symbol.iterator)) return special;
    layers.unshift(ownGetters(holder));
  }
  const names = layers.length === 1 ? (layers[0] as string[]) : new Set(layers.flat());
  const getters: ClassGetter[] = [];
  for (const name of names) {
    const property = findProperty(prototype as object, name) as PropertyDescriptor;
    const getter = getterOf(property);
    const isProxied = types.isProxy(getter);
    const known = getter === undefined || isProxied ? undefined : knownGetter(getter, prototype as object);
    getters.push({ name, property: isProxied ? { value: proxyMarker } : property, known, key: undefined });
  }
  return { kind: 'object', getters };
}

/** An object that shows nothing may be a built-in whose prototype was changed, or an entry of the walk's own making. */
export function mayBeBuiltIn(object: object): boolean {
  // A tag may be a getter, which is no property of a bean.
  if (Symbol.toStringTag in object || builtInTag(object) !== '[object Object]') return true;
  return types.isMap(object) || types.isSet(object) || MapEntry.isOne(object);
}

/** An own property; one that is gone by now may have hidden another. */
export function ownOrInherited(object: object, name: string): PropertyDescriptor | undefined {
  return ownProperty(object, name) ?? findProperty(object, name);
}

/** The getter of a class, unless the object has a property of its own in its place, or had one when its names were taken. */
export function classProperty(
  object: object,
  getter: ClassGetter,
  names: readonly string[],
): PropertyDescriptor | undefined {
  if (names.includes(getter.name)) return undefined;
  return Object.hasOwn(object, getter.name) ? findProperty(object, getter.name) : getter.property;
}

/** What a getter returns or throws, or a marker in its place. Those of classes are known, and no proxies. */
export function resultOf(get: Getter, object: object, known: KnownGetter | undefined): unknown {
  try {
    return known === undefined ? getterResult(get, object, true) : unproxiedResult(get, object, false, false, known);
  } catch (error) {
    return threwMarker(error);
  }
}
