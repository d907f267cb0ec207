import { types } from 'node:util';
import { findToJson } from './bean-code.ts';
import { isOpaque } from './built-in.ts';
import { iterableCursor } from './cursors.ts';
import { MapEntry } from './map-cursors.ts';
import { threwMarker } from './markers.ts';
import {
  type ContentOf,
  findProperty,
  type Getter,
  getterNames,
  getterOf,
  isDictionary,
  isMethod,
  isPlainObject,
  ownNames,
  ownProperty,
} from './reflection.ts';

export interface Content {
  readonly value: unknown;
  /** Whether the value is a marker for what was thrown. */
  readonly isThrown: boolean;
}

/** What is shown in the place of an object of which nothing is to be seen; undefined where it is shown as it is. */
export function hiddenContent(object: object, contentOf: ContentOf | undefined): Content | undefined {
  if (contentOf === undefined || hasData(object)) return undefined;
  const isHidden = isOpaque(object);
  if (!isHidden && !showsNothing(object)) return undefined;
  const get = contentOf(object);
  // Asked last, since a length may be a getter.
  if (get === undefined || (!isHidden && iterableCursor(object) !== undefined)) return undefined;
  try {
    const value = get();
    return value === object ? undefined : { value, isThrown: false };
  } catch (error) {
    return { value: threwMarker(error), isThrown: true };
  }
}

/** What a proxy stands for, where somebody knows; then it is shown in its place, unless that is masked. */
export function proxyContent(
  proxy: object,
  { contentOf, proxies = false }: { readonly contentOf?: ContentOf | undefined; readonly proxies?: boolean },
): object | undefined {
  return proxies ? undefined : (contentOf?.(proxy)?.() as object | undefined);
}

/** Most objects are plain, and told by their first property. The names of a big buffer are too many to be listed. */
function hasData(object: object): boolean {
  if (Array.isArray(object) || ArrayBuffer.isView(object)) return true;
  if (Object.getPrototypeOf(object) !== Object.prototype) return false;
  const [name] = ownNames(object);
  return name === undefined || typeof ownProperty(object, name)?.value !== 'function';
}

function showsNothing(object: object): boolean {
  if (types.isMap(object) || types.isSet(object) || types.isNativeError(object) || MapEntry.isOne(object)) return false;
  const own = ownNames(object);
  // Most are told by their first property, without the getters of their classes.
  if (own[0] !== undefined && !isMethodOf(object, own[0])) return false;
  const names = typeof object === 'function' ? own : [...own, ...getterNames(object)];
  return hasOnlyMethods(object, names) && findToJson(object) === undefined;
}

/** Whether nothing of an object with these properties is to be seen. Of a plain object without any, there is nothing to know. */
export function hasOnlyMethods(object: object, names: readonly string[]): boolean {
  if (isDictionary(object) || (names.length === 0 && isPlainObject(object))) return false;
  return names.every((name) => isMethodOf(object, name));
}

function isMethodOf(object: object, name: string): boolean {
  const property = findProperty(object, name);
  const getter = getterOf(property);
  return getter === undefined ? isMethod(property?.value) : isMethodGetter(getter);
}

let methodGetters: ReadonlySet<Getter | undefined> | undefined;

/** Formats of `Intl` have a method by a getter. */
function isMethodGetter(getter: Getter): boolean {
  methodGetters ??= new Set(
    [Intl.NumberFormat, Intl.DateTimeFormat, Intl.Collator].flatMap(({ prototype }) =>
      ['format', 'compare'].map((name) => getterOf(Object.getOwnPropertyDescriptor(prototype, name))),
    ),
  );
  return methodGetters.has(getter);
}
