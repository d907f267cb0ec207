import Module from 'node:module';
import { types } from 'node:util';
import type { InnerSession, Scope } from '@jig/inspect/internal';
import { type ApplicationFiles, cachedModules } from './application-files.ts';
import { isDataFunction, knownView } from './kinds.ts';
import { classOf, descriptorParts, isObject, isPlainObject, own } from './values.ts';

// The variables that functions see, and which of them the application has made.

/** The variables of every module, and the parameter of the closure that `jig run` adds. */
const moduleScopeNames = new Set('exports require module __filename __dirname arguments this jig$'.split(' '));

/** The variables of a scope, without those that every module has. */
export function* variablesIn(variables: object): Generator<readonly [name: string, value: unknown]> {
  for (const key of Object.keys(variables)) if (!moduleScopeNames.has(key)) yield [key, own(variables, key)];
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
        !isModuleExport(value),
    ),
  );

/** Returns a function that reads the variables in one scope of a function, or in all; retains neither the function nor the search. */
export function variablesOf(session: InnerSession, code: object, index?: number): () => object {
  const weak = new WeakRef(code);
  return () => {
    const live = weak.deref();
    const { scopes } = live === undefined ? { scopes: [] } : session.detailsOf(live);
    return ownVariables(mergedVariables(index === undefined ? scopes : scopes.slice(index, index + 1)));
  };
}

let moduleExports: ReadonlySet<unknown> = new Set();

/** Whether a value is what a module or Node exports, which other modules keep in variables; compilers wrap it in `default`. */
export const isModuleExport = (value: unknown): boolean =>
  isObject(value) &&
  !types.isProxy(value) &&
  (moduleExports.has(value) || moduleExports.has(own(value, 'default'))) &&
  knownView(value) === undefined;

/** Collects the exports of all modules loaded so far. Functions of the application and instances of classes, such as `passport`, are components. */
export function updateModuleExports(files: ApplicationFiles): void {
  const exportsOf = Object.entries(cachedModules()).flatMap(([file, module]) => {
    const exports = types.isProxy(module) ? undefined : own(module, 'exports');
    if (!isObject(exports) || types.isProxy(exports)) return [];
    if (isPlainObject(exports)) return [exports];
    return files.isOwn(file) || classOf(exports) !== undefined ? [] : [exports];
  });
  moduleExports = new Set([...modulesOfNode(), ...exportsOf]);
}

/** Objects that are never searched: the process, all module objects, modules of Node and the functions that these export. */
export const ignoredObjects = (): readonly unknown[] => [
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
  descriptorParts(object, key).filter((part) => typeof part === 'function');

/** Modules of Node that are loaded already: asking for others would load them. */
function modulesOfNode(): readonly object[] {
  const { moduleLoadList = [] } = process as unknown as { readonly moduleLoadList?: readonly string[] };
  const loaded = new Set(moduleLoadList.map((name) => name.replace('NativeModule ', '')));
  const names = Module.builtinModules.filter((name) => loaded.has(name));
  return names.map((name) => process.getBuiltinModule(name)).filter(isObject);
}

const builtIns = { Object, Reflect, Array, Promise, Symbol, Number, Math, JSON, Date, String };
/** Modules of Node begin with variables for what the language has, such as `ObjectAssign` and `ReflectApply`. */
const namesInNode = new Set(
  Object.entries(builtIns).flatMap(([name, value]) =>
    Object.getOwnPropertyNames(value).map((key) => `${name}${key.charAt(0).toUpperCase()}${key.slice(1)}`),
  ),
);
const nameInNode = /^(?:[A-Z][a-z]+Prototype[A-Z]\w+|Safe(?:Map|Set|Weak\w+)|internalBinding|primordials|ERR_[A-Z_]+)$/;

/** Whether a function is one of Node itself. */
export const isOfNode = (scopes: readonly Scope[]) =>
  Object.keys(scopes.at(-1)?.variables ?? {}).some((name) => namesInNode.has(name) || nameInNode.test(name));
