import { types } from 'node:util';
import { findProperty, getterOf, inheritsFrom, ownProperty } from './reflection.ts';

/** Returns the private fields of an object by names with `#`. Runs no code of it. */
export type PrivateFieldsOf = (object: object) => ReadonlyMap<string, unknown>;

let reader: PrivateFieldsOf | undefined;
/** Cached during synchronous work, since reading them is slow. */
let read = new Map<object, ReadonlyMap<string, unknown>>();

/** Shows private fields during synchronous work. */
export function withPrivateFields<Result>(fieldsOf: PrivateFieldsOf | undefined, work: () => Result): Result {
  // Code of a bean may call inspect, too.
  const [outer, outerRead] = [reader, read];
  reader = fieldsOf;
  read = new Map();
  try {
    return work();
  } finally {
    reader = outer;
    read = outerRead;
  }
}

const none: ReadonlyMap<string, unknown> = new Map();

/** The private fields of an object to show. */
export function shownPrivateFields(object: object): ReadonlyMap<string, unknown> {
  if (reader === undefined || !mayHavePrivateFields(object)) return none;
  let fields = read.get(object);
  if (fields === undefined) {
    fields = withoutGetters(object, reader(object));
    read.set(object, fields);
  }
  return fields;
}

/** Leaves out fields that a getter of the same name shows. */
function withoutGetters(object: object, fields: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
  const isTold = (name: string): boolean => {
    const getter = getterOf(findProperty(object, name.slice(1)));
    if (getter === undefined || types.isProxy(getter)) return false;
    const [, returned] =
      /\{\s{0,200}return this\.(#[\w$]{1,200});?\s{0,200}\}$/.exec(Function.prototype.toString.call(getter)) ?? [];
    return returned === name;
  };
  return new Map([...fields].filter(([name]) => !isTold(name)));
}

/** Whether there are private fields that are not shown. */
export const hidesPrivateFields = (object: object) => reader === undefined && mayHavePrivateFields(object);

const known = new WeakMap<object, boolean>();

/** Whether the source of an object's class uses private fields, native or compiled. The object must not be a proxy. */
export function mayHavePrivateFields(object: object): boolean {
  return inheritsFrom(object, (prototype) => {
    const maker: unknown = ownProperty(prototype, 'constructor')?.value;
    if (typeof maker !== 'function' || types.isProxy(maker)) return false;
    if (!known.has(maker)) known.set(maker, privateField.test(Function.prototype.toString.call(maker)));
    return known.get(maker) === true;
  });
}

const privateField = /#[\p{ID_Start}$_]|_classPrivateField/u;
