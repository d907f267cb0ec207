import { types } from 'node:util';
import { readProxy } from '../inner-session.ts';
import { isMethod, isPlainObject, mayHaveEntries, ownNames, ownProperty } from '../walk/reflection.ts';

const targets = new WeakMap<object, object | undefined>();

/**
 * What a proxy stands for, as `console.log` shows it: by the inspector of Node, so no trap is run, and nothing is tracked
 * or made. Undefined where that holds nothing: then the traps make it all.
 */
export function unwrapped(proxy: object): object | undefined {
  let target: object | undefined = proxy;
  while (target !== undefined && types.isProxy(target)) target = targetOf(target);
  if (target === undefined) return undefined;
  return draftOf(target) ?? (holdsSomething(target) ? target : undefined);
}

function targetOf(proxy: object): object | undefined {
  if (!targets.has(proxy)) targets.set(proxy, readProxy(proxy)?.target);
  return targets.get(proxy);
}

function holdsSomething(target: object): boolean {
  if (!mayHaveEntries(target)) return false;
  if (!isPlainObject(target)) return true;
  return ownNames(target).some((name) => !isMethod(ownProperty(target, name)?.value));
}

/** The state of a draft of Immer, as it is by now. Its minified build has other names. */
function draftOf(target: object): object | undefined {
  const state: unknown = Array.isArray(target) ? ownProperty(target, 0)?.value : target;
  if (typeof state !== 'object' || state === null || types.isProxy(state)) return undefined;
  const [base, copy, scope] = ['base_', 'copy_', 'scope_'].map((name) => ownProperty(state, name)?.value as unknown);
  if (!mayHaveEntries(scope)) return undefined;
  return [copy, base].find(mayHaveEntries);
}
