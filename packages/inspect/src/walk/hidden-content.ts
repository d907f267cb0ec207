import { types } from 'node:util';
import { findToJson } from '../objects/bean-code.ts';
import { isOpaque } from '../objects/built-in.ts';
import { beanProperties, isOrdinary } from '../objects/classes.ts';
import type { Context } from '../objects/context.ts';
import { threwMarker } from '../objects/markers.ts';
import {
  type ContentOf,
  dataProperty,
  findProperty,
  getterOf,
  isCollection,
  isDictionary,
  isMethod,
  isPlainObject,
  ownNames,
} from '../objects/reflection.ts';

export interface Content {
  readonly value: unknown;
  /** Whether the value is a marker for an error. */
  readonly isThrown: boolean;
}

/** The content of an object that its properties do not show, as a view defines it; undefined if there is none. */
export function hiddenContent(object: object, contentOf: ContentOf | undefined, context: Context): Content | undefined {
  if (contentOf === undefined || isBuiltIn(object)) return undefined;
  const isPlainlyShown = isOrdinary(object, context.classOf(object));
  const isHidden = !isCollection(object) && !isPlainlyShown && (isOpaque(object) || showsNothing(object, context));
  if (!isHidden && isPlainObject(object) && (isPlainlyShown || ownNames(object).length === 0)) return undefined;
  const get = contentOf(object, isHidden);
  if (get === undefined) return undefined;
  try {
    const value = get();
    return value === object ? undefined : { value, isThrown: false };
  } catch (error) {
    return { value: threwMarker(error), isThrown: true };
  }
}

/** Most objects, for which no view is needed. */
function isBuiltIn(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype === Array.prototype || prototype === Map.prototype || prototype === Set.prototype) return true;
  return ArrayBuffer.isView(object) || types.isDate(object);
}

function showsNothing(object: object, context: Context): boolean {
  if (types.isNativeError(object) || isDictionary(object)) return false;
  const own = ownNames(object);
  if (context.fieldsOf(object).size > 0) return false;
  // The first property decides for most, without the getters of their classes.
  if (own[0] !== undefined && !isMethodOf(object, own[0])) return false;
  if (own.length === 0 && isPlainObject(object)) return false;
  const names = beanProperties(object, context.classOf(object));
  if (!names.every((name) => isMethodOf(object, name)) || findToJson(object, context) !== undefined) return false;
  return typeof dataProperty(object, Symbol.iterator) !== 'function' || findProperty(object, 'length') === undefined;
}

function isMethodOf(object: object, name: string): boolean {
  const property = findProperty(object, name);
  // Formatters of `Intl` have a getter that returns a method.
  if (getterOf(property) !== undefined) return /^(?:format|compare)$/.test(name) && tag(object).startsWith('Intl');
  return isMethod(property?.value);
}

const tag = (object: object) => String(dataProperty(object, Symbol.toStringTag));
