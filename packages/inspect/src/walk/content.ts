import { types } from 'node:util';
import { findToJson } from './bean-code.ts';
import { isOpaque } from './built-in.ts';
import { beanProperties, isOrdinary } from './classes.ts';
import { isCollection } from './collections.ts';
import { threwMarker } from './markers.ts';
import { shownPrivateFields } from './private-fields.ts';
import {
  type ContentOf,
  dataProperty,
  findProperty,
  getterOf,
  isDictionary,
  isMethod,
  isPlainObject,
  ownNames,
} from './reflection.ts';

export interface Content {
  readonly value: unknown;
  /** Whether the value is a marker for what was thrown. */
  readonly isThrown: boolean;
}

/** What is shown in the place of an object that keeps elsewhere what it holds; undefined where it is shown as it is. */
export function hiddenContent(object: object, contentOf: ContentOf | undefined): Content | undefined {
  if (contentOf === undefined || isBuiltIn(object)) return undefined;
  const isHidden = !isCollection(object) && !isOrdinary(object) && (isOpaque(object) || showsNothing(object));
  if (!isHidden && isPlainObject(object) && (isOrdinary(object) || ownNames(object).length === 0)) return undefined;
  const get = contentOf(object, isHidden);
  if (get === undefined) return undefined;
  try {
    const value = get();
    return value === object ? undefined : { value, isThrown: false };
  } catch (error) {
    return { value: threwMarker(error), isThrown: true };
  }
}

/** Most objects: no view knows more of them. */
function isBuiltIn(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype === Array.prototype || prototype === Map.prototype || prototype === Set.prototype) return true;
  return ArrayBuffer.isView(object) || types.isDate(object);
}

function showsNothing(object: object): boolean {
  if (types.isNativeError(object) || isDictionary(object)) return false;
  const own = ownNames(object);
  if (shownPrivateFields(object).size > 0) return false;
  // Most are told by their first property, without the getters of their classes.
  if (own[0] !== undefined && !isMethodOf(object, own[0])) return false;
  if (own.length === 0 && isPlainObject(object)) return false;
  if (!beanProperties(object).every((name) => isMethodOf(object, name)) || findToJson(object) !== undefined)
    return false;
  return typeof dataProperty(object, Symbol.iterator) !== 'function' || findProperty(object, 'length') === undefined;
}

function isMethodOf(object: object, name: string): boolean {
  const property = findProperty(object, name);
  // Formats of `Intl` have a method by a getter.
  if (getterOf(property) !== undefined) return /^(?:format|compare)$/.test(name) && tag(object).startsWith('Intl');
  return isMethod(property?.value);
}

const tag = (object: object) => String(dataProperty(object, Symbol.toStringTag));
