import Module from 'node:module';
import { types } from 'node:util';
import type { InnerSession, Scope } from '@jig/inspect/internal';
import { type ApplicationFiles, cachedModules } from './application-files.ts';
import { isDataFunction, knownView } from './kinds.ts';
import { classOf, isObject, isPlainObject, own, partsAt } from './values.ts';

// The variables that functions see, and which of them the application has made.

/** What every module has, and the function that shows the others. */
const ofEveryModule = new Set('exports require module __filename __dirname arguments this jig$'.split(' '));

/** The variables of a scope, without those that every module has. */
export function* variablesIn(variables: object): Generator<readonly [name: string, value: unknown]> {
  for (const key of Object.keys(variables)) if (!ofEveryModule.has(key)) yield [key, own(variables, key)];
}

export const mergedVariables = (scopes: readonly Scope[]) =>
  Object.assign({}, ...scopes.map(({ variables }) => variables)) as object;

/** The variables that the application wrote: no imported modules, no functions. */
export const ownVariables = (variables: object): object =>
  Object.fromEntries(
    [...variablesIn(variables)].filter(
      ([, value]) =>
        (typeof value !== 'function' || isDataFunction(value)) &&
        !types.isModuleNamespaceObject(value) &&
        !isExportOfOthers(value),
    ),
  );

/** Reads the variables that a function sees, in one of its scopes or all; keeps neither the function nor anything of the search. */
export function variablesOf(session: InnerSession, code: object, index?: number): () => object {
  const weak = new WeakRef(code);
  return () => {
    const live = weak.deref();
    const { scopes } = live === undefined ? { scopes: [] } : session.detailsOf(live);
    return ownVariables(mergedVariables(index === undefined ? scopes : scopes.slice(index, index + 1)));
  };
}

let exportsOfOthers: ReadonlySet<unknown> = new Set();

/** Whether a value is what a library or Node exports as a whole, which many modules have in a variable; compilers put it under `default`. */
export const isExportOfOthers = (value: unknown): boolean =>
  isObject(value) &&
  !types.isProxy(value) &&
  (exportsOfOthers.has(value) || exportsOfOthers.has(own(value, 'default'))) &&
  knownView(value) === undefined;

/** Reads what all modules export by now. An object of a class that a library exports is a component of the application: `passport`. */
export function updateExportsOfOthers(files: ApplicationFiles): void {
  const exportsOf = Object.entries(cachedModules()).flatMap(([file, module]) => {
    const exports = types.isProxy(module) ? undefined : own(module, 'exports');
    if (!isObject(exports) || types.isProxy(exports)) return [];
    return isPlainObject(exports) || !(files.isOwn(file) || classOf(exports) !== undefined) ? [exports] : [];
  });
  exportsOfOthers = new Set([...modulesOfNode(), ...exportsOf]);
}

/** The process, all modules as such, modules of Node and the functions that these export. */
export const notOfTheApplication = (): readonly unknown[] => [
  globalThis,
  process,
  process.env,
  Module,
  cachedModules(),
  ...Object.values(cachedModules()),
  ...modulesOfNode().flatMap((module) => [
    module,
    ...Reflect.ownKeys(module).flatMap((key) => functionsAt(module, key)),
  ]),
];

const functionsAt = (object: object, key: PropertyKey) =>
  partsAt(object, key).filter((part) => typeof part === 'function');

/** Modules of Node that are loaded already: asking for others would load them. */
function modulesOfNode(): readonly object[] {
  const { moduleLoadList = [] } = process as unknown as { readonly moduleLoadList?: readonly string[] };
  const loaded = new Set(moduleLoadList.map((name) => name.replace('NativeModule ', '')));
  const names = Module.builtinModules.filter((name) => loaded.has(name));
  return names.map((name) => process.getBuiltinModule(name)).filter(isObject);
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
