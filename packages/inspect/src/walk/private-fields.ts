import { types } from 'node:util';
import { functionText } from './intrinsics.ts';
import { findClass, ownProperty } from './reflection.ts';

/** Tells the private fields of an object, by their names with `#`. Runs no code of it. */
export type PrivateFieldsOf = (object: object) => ReadonlyMap<string, unknown>;

/** How much of the text of a class is looked at. */
const longestText = 64 * 1024;
/** A use of one, as it is written or as compilers write it. */
const privateField = /\.\s*#[\p{ID_Start}$_]|_classPrivateField/u;
const known = new WeakMap<object, boolean>();

let reader: PrivateFieldsOf | undefined;

/** Shows private fields while work is done that may look at beans. */
export function withPrivateFields<Result>(fieldsOf: PrivateFieldsOf | undefined, work: () => Result): Result {
  if (fieldsOf === reader) return work();
  // Code of a bean may inspect something itself.
  const outer = reader;
  reader = fieldsOf;
  try {
    return work();
  } finally {
    reader = outer;
  }
}

const none: ReadonlyMap<string, unknown> = new Map();

/** The private fields of an object that are to be shown. */
export function shownPrivateFields(object: object): ReadonlyMap<string, unknown> {
  return reader === undefined || !mayHavePrivateFields(object) ? none : reader(object);
}

/** Whether private fields are shown, so that nothing need be said of those that are not. */
export const showsPrivateFields = () => reader !== undefined;

const mayHave = new WeakMap<object, boolean>();

/** Whether a class of an object, which is no proxy, has anything in its text that may be a private field. */
export function mayHavePrivateFields(object: object): boolean {
  if (Object.getPrototypeOf(object) === Object.prototype) return false;
  return (
    findClass(object, (prototype) => {
      const maker: unknown = ownProperty(prototype, 'constructor')?.value;
      if (typeof maker !== 'function' || types.isProxy(maker)) return false;
      if (!mayHave.has(maker)) mayHave.set(maker, functionText(maker).includes('#'));
      return mayHave.get(maker) as boolean;
    }) !== undefined
  );
}

/** Whether a class of an object seems to have private fields, by its text: nothing else tells without running its code. */
export function seemsToHavePrivateFields(object: object): boolean {
  return (
    findClass(object, (prototype) => usesPrivateFields(ownProperty(prototype, 'constructor')?.value)) !== undefined
  );
}

function usesPrivateFields(maker: unknown): boolean {
  if (typeof maker !== 'function' || types.isProxy(maker)) return false;
  let isUsing = known.get(maker);
  if (isUsing === undefined) {
    isUsing = privateField.test(functionText(maker).slice(0, longestText));
    known.set(maker, isUsing);
  }
  return isUsing;
}
