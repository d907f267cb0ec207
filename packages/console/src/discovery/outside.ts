import Module from 'node:module';
import { types } from 'node:util';
import { type ApplicationFiles, cachedModules } from './application-files.ts';
import { knownView } from './known-shapes.ts';
import { classOf, isObject, isPlainObject, own, partsAt } from './object-kinds.ts';

// What is not the application's: modules of Node and of libraries as such.

let exportsOfOthers: ReadonlySet<object> = new Set();

/** Whether a value is what a library or Node exports as a whole, which many modules have in a variable; compilers put it under `default`. */
export const isExportOfOthers = (value: unknown): boolean =>
  isObject(value) &&
  !types.isProxy(value) &&
  (exportsOfOthers.has(value) || exportsOfOthers.has(own(value, 'default') as object)) &&
  knownView(value) === undefined;

/** Looks at all modules that are loaded by now. An object of a class that a library exports is a component of the application: `passport`. */
export function updateExportsOfOthers(files: ApplicationFiles): void {
  const all = new Set<object>(loadedBuiltIns());
  for (const [file, module] of Object.entries(cachedModules())) {
    const exports = types.isProxy(module) ? undefined : own(module, 'exports');
    if (!isObject(exports) || types.isProxy(exports)) continue;
    if (isPlainObject(exports) || !(files.isOwn(file) || classOf(exports) !== undefined)) all.add(exports);
  }
  exportsOfOthers = all;
}

/** Modules of Node that are loaded already: asking for others would load them. */
function* loadedBuiltIns(): Generator<object> {
  const { moduleLoadList = [] } = process as unknown as { readonly moduleLoadList?: readonly string[] };
  const loaded = new Set(moduleLoadList.map((name) => name.replace('NativeModule ', '')));
  for (const name of Module.builtinModules) {
    const exports: unknown = loaded.has(name) ? process.getBuiltinModule(name) : undefined;
    if (isObject(exports)) yield exports;
  }
}

/** The process, all modules as such, and what Node is made of, as far as its modules show it. */
export function* notOfTheApplication(): Generator<object> {
  yield* [globalThis, process, process.env, Module, cachedModules()];
  yield* Object.values(cachedModules());
  codeOfNode ??= codeIn(loadedBuiltIns());
  yield* codeOfNode;
}

let codeOfNode: ReadonlySet<object> | undefined;

/** Modules, their functions, classes and methods. */
function codeIn(modules: Iterable<object>): ReadonlySet<object> {
  const all = new Set(modules);
  // A Set also visits what is added meanwhile.
  for (const each of all)
    for (const key of types.isProxy(each) ? [] : Reflect.ownKeys(each))
      for (const part of partsAt(each, key))
        if (typeof part === 'function' || (key === 'prototype' && isObject(part))) all.add(part);
  return all;
}

/** Reading the descriptor of a lazy global would load what it stands for. Those of Node are not enumerable, apart from a few. */
export const isGlobalOfNode = (key: PropertyKey) =>
  enumerableInNode.has(key) || !Object.prototype.propertyIsEnumerable.call(globalThis, key);

const enumerableInNode = new Set<PropertyKey>(
  'global clearImmediate setImmediate clearInterval clearTimeout setInterval setTimeout queueMicrotask structuredClone atob btoa performance fetch navigator crypto sessionStorage localStorage'.split(
    ' ',
  ),
);
