import { types } from 'node:util';
import type { InnerSession, Scope } from '@jig/inspect/internal';
import { isDataFunction } from './known-shapes.ts';
import { own } from './object-kinds.ts';
import { isExportOfOthers } from './outside.ts';

/** What every module has, and the function that shows the others. */
const wrapperVariables = new Set([
  'exports',
  'require',
  'module',
  '__filename',
  '__dirname',
  'arguments',
  'this',
  'jig$',
]);

/** The variables of a scope, without those that every module has. */
export function* variablesIn(variables: object): Generator<readonly [name: string, value: unknown]> {
  for (const key of Object.keys(variables)) if (!wrapperVariables.has(key)) yield [key, own(variables, key)];
}

/** Reads the variables that a function sees, in one of its scopes or all; keeps neither the function nor anything of the search. */
export function variablesOf(session: InnerSession, code: object, index?: number): () => object {
  const weak = new WeakRef(code);
  return () => {
    const live = weak.deref();
    const { scopes } = live === undefined ? { scopes: [] } : session.detailsOf(live);
    return ownVariables(mergedVariables(index === undefined ? scopes : scopes.slice(index, index + 1)));
  };
}

export const mergedVariables = (scopes: readonly Scope[]) =>
  Object.assign({}, ...scopes.map(({ variables }) => variables)) as object;

/** The variables that the application wrote: no imported modules, no functions. */
export function ownVariables(variables: object): object {
  const all: Record<string, unknown> = {};
  for (const [key, value] of variablesIn(variables)) {
    const isCode = typeof value === 'function' && !isDataFunction(value);
    if (!isCode && !types.isModuleNamespaceObject(value) && !isExportOfOthers(value)) all[key] = value;
  }
  return all;
}

const ofLanguage = { Object, Reflect, Array, Promise, Symbol, Number, Math, JSON, Date, String };
/** `ObjectAssign`, `ReflectApply`: modules of Node begin with names of their own for what the language has. */
const namesInNode = new Set(
  Object.entries(ofLanguage).flatMap(([name, value]) =>
    Object.getOwnPropertyNames(value).map((key) => `${name}${key.charAt(0).toUpperCase()}${key.slice(1)}`),
  ),
);
const nameInNode = /^(?:[A-Z][a-z]+Prototype[A-Z]\w+|Safe(?:Map|Set|Weak\w+)|internalBinding|primordials|ERR_[A-Z_]+)$/;

/** Whether a function is one of Node itself. */
export const isOfNode = (scopes: readonly Scope[]) =>
  Object.keys(scopes.at(-1)?.variables ?? {}).some((name) => namesInNode.has(name) || nameInNode.test(name));
