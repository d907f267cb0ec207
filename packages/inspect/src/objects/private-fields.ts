import { types } from 'node:util';
import { findProperty, getterOf, inheritsFrom, ownProperty } from './reflection.ts';

/** Private fields by names with `#`. */
export type PrivateFields = ReadonlyMap<string, unknown>;

/** Returns the private fields of an object. Runs no code of it. */
export type PrivateFieldsOf = (object: object) => PrivateFields;

export const noFields: PrivateFields = new Map();

/** Leaves out fields that a getter of the same name shows. */
export function fieldsWithoutGetter(object: object, fields: PrivateFields): PrivateFields {
  const hasGetter = (name: string): boolean => {
    const getter = getterOf(findProperty(object, name.slice(1)));
    if (getter === undefined || types.isProxy(getter)) return false;
    const [, returned] =
      /\{\s{0,200}return this\.(#[\w$]{1,200});?\s{0,200}\}$/.exec(Function.prototype.toString.call(getter)) ?? [];
    return returned === name;
  };
  return new Map([...fields].filter(([name]) => !hasGetter(name)));
}

const known = new WeakMap<object, boolean>();

/** Whether the source of an object's class uses private fields, native or compiled. The object must not be a proxy. */
export function mayHavePrivateFields(object: object): boolean {
  return inheritsFrom(object, usesPrivateFields);
}

export function usesPrivateFields(prototype: object): boolean {
  const ctor: unknown = ownProperty(prototype, 'constructor')?.value;
  if (typeof ctor !== 'function' || types.isProxy(ctor)) return false;
  if (!known.has(ctor)) known.set(ctor, privateField.test(Function.prototype.toString.call(ctor)));
  return known.get(ctor) === true;
}

const privateField = /#[\p{ID_Start}$_]|_classPrivateField/u;
