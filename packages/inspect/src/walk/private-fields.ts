import { types } from 'node:util';
import { functionText } from './intrinsics.ts';
import { findClass, ownProperty } from './reflection.ts';

/** How much of the text of a class is looked at. */
const longestText = 64 * 1024;
/** A use of one, as it is written or as compilers write it. */
const privateField = /\.\s*#[\p{ID_Start}$_]|_classPrivateField/u;
const known = new WeakMap<object, boolean>();

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
