import { types } from 'node:util';
import { findProperty, getterOf, inheritsFrom, ownProperty } from './reflection.ts';

/** Tells the private fields of an object, by their names with `#`. Runs no code of it. */
export type PrivateFieldsOf = (object: object) => ReadonlyMap<string, unknown>;

let reader: PrivateFieldsOf | undefined;
/** What was read in one piece of work: to ask for it costs more than anything else. */
let read = new Map<object, ReadonlyMap<string, unknown>>();

/** Shows private fields while work is done that may look at beans. */
export function withPrivateFields<Result>(fieldsOf: PrivateFieldsOf | undefined, work: () => Result): Result {
  // Code of a bean may inspect something itself.
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

/** The private fields of an object that are to be shown. */
export function shownPrivateFields(object: object): ReadonlyMap<string, unknown> {
  if (reader === undefined || !mayHavePrivateFields(object)) return none;
  let fields = read.get(object);
  if (fields === undefined) {
    fields = withoutGetters(object, reader(object));
    read.set(object, fields);
  }
  return fields;
}

/** What a getter of the same name returns is not told twice. */
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

/** Whether a class of an object, which is no proxy, uses private fields, as they are written or as compilers write them. */
export function mayHavePrivateFields(object: object): boolean {
  return inheritsFrom(object, (prototype) => {
    const maker: unknown = ownProperty(prototype, 'constructor')?.value;
    if (typeof maker !== 'function' || types.isProxy(maker)) return false;
    if (!known.has(maker)) known.set(maker, privateField.test(Function.prototype.toString.call(maker)));
    return known.get(maker) === true;
  });
}

const privateField = /#[\p{ID_Start}$_]|_classPrivateField/u;
