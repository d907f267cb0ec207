import { EventEmitter } from 'node:events';
import Module from 'node:module';
import timers from 'node:timers';
import { types } from 'node:util';
import { dataProperty, type InnerSession, inheritsFrom, typeName } from '@jig/inspect/internal';
import { type ApplicationFiles, cachedModules, fileOfUrl } from './application-files.ts';
import type { Place } from './finds.ts';
import { containerKind, isDataFunction } from './kinds.ts';
import { classOf, isObject, isPlainObject, own, shownKey } from './values.ts';

/** A starting point of the search. */
export interface Root {
  readonly value: unknown;
  readonly place: Place;
  /** A variable of the application is a component; its other objects are only searched before those of libraries. */
  readonly kind: 'variable' | 'own' | 'other';
}

/** What is open in the process, timers, and global variables. */
export function* rootsOfProcess(session: InnerSession): Generator<Root> {
  const other = (value: unknown, name: string, how: string): Root => ({
    value,
    place: { name, file: undefined, how },
    kind: 'other',
  });
  for (const value of timerCallbacks(session)) yield other(value, 'timer', 'timer');
  const { _getActiveHandles: activeHandles } = process as { _getActiveHandles?: () => readonly object[] };
  for (const value of activeHandles?.call(process) ?? []) yield other(value, typeName(value), 'open handle');
  for (const listeners of Object.values((own(process, '_events') as object | undefined) ?? {}))
    for (const value of [listeners].flat() as unknown[]) yield other(value, 'process', 'listener of the process');
  for (const key of Reflect.ownKeys(globalThis)) {
    const place = { name: `global.${shownKey(key)}`, file: undefined, how: 'global variable' };
    if (!isGlobalOfNode(key)) yield { value: own(globalThis, key), place, kind: 'variable' };
  }
}

/** What CommonJS modules export. Dependencies come first, so that an object is named after the module that defines it. */
export function* exportsOf(files: ApplicationFiles): Generator<Root> {
  for (const [file, exports] of [...files.loaded()].reverse()) {
    if (!isObject(exports) || types.isProxy(exports)) continue;
    const place = { name: '', file, how: 'exported by the module' };
    yield { value: exports, place, kind: isPlainObject(exports) ? 'own' : 'variable' };
    for (const name of isPlainObject(exports) ? Object.keys(exports) : [])
      yield { value: own(exports, name), place: { ...place, name }, kind: 'variable' };
  }
}

/** What ES modules export. `ownProperty` shows an export as a getter until its module has run. */
export function* exportsOfEsModules(
  files: ApplicationFiles,
  session: InnerSession,
  ownFolder: string | undefined,
): Generator<Root> {
  for (const [url, exports] of loadedEsModules(session)) {
    const file = fileOfUrl(url);
    const isOurs = ownFolder !== undefined && url.startsWith(ownFolder);
    if (isOurs || !files.isOwn(file) || Object.hasOwn(cachedModules(), file)) continue;
    files.addLoaded(file);
    for (const key of Reflect.ownKeys(exports)) {
      const place = { name: key === 'default' ? '' : shownKey(key), file, how: 'exported by the module' };
      yield { value: own(exports, key), place, kind: 'variable' };
    }
  }
}

// Internal variables of Node, read through the inspector without running code. A Node version that moved them has none.

/** The ES modules that have been linked: `import()` of one that is not loaded would run it. */
function* loadedEsModules(session: InnerSession): Generator<readonly [url: string, exports: object]> {
  const loader = seenBy(session, Module.register, 'cascadedLoader');
  const modules = isObject(loader) ? own(loader, 'loadCache') : undefined;
  if (!types.isMap(modules)) return;
  for (const [url, byType] of Map.prototype.entries.call(modules) as MapIterator<[string, object]>)
    for (const job of Object.values(byType)) {
      const exports = isObject(job) ? namespaceOf(own(job, 'module')) : undefined;
      if (exports !== undefined) yield [url, exports];
    }
}

function namespaceOf(module: unknown): object | undefined {
  const getNamespace = isObject(module) ? dataProperty(module, 'getNamespace') : undefined;
  try {
    return typeof getNamespace === 'function' ? (getNamespace.call(module) as object) : undefined;
  } catch {
    // It is not linked yet.
    return undefined;
  }
}

const maxTimers = 1000;

/** What timers will call, and with what. */
function* timerCallbacks(session: InnerSession): Generator<unknown> {
  const lists = seenBy(session, timers.setTimeout, 'timerListMap');
  let count = 0;
  for (const list of isObject(lists) ? Object.values(lists) : [])
    for (let timer = own(list, '_idleNext'); isObject(timer) && timer !== list; timer = own(timer, '_idleNext')) {
      if (++count > maxTimers) return;
      yield own(timer, '_onTimeout');
      yield own(timer, '_timerArgs');
    }
}

/** Reads a variable of the Node module that contains a function, unless the function was replaced. */
function seenBy(session: InnerSession, code: object, variable: string): unknown {
  if (types.isProxy(code)) return undefined;
  const { variables = {} } = session.detailsOf(code).scopes.at(-1) ?? {};
  return own(variables, variable);
}

/** Reading the descriptor of a lazy global would load what it stands for. Those of Node are not enumerable, apart from a few. */
const isGlobalOfNode = (key: PropertyKey) =>
  enumerableInNode.has(key) || !Object.prototype.propertyIsEnumerable.call(globalThis, key);

const enumerableInNode = new Set<PropertyKey>(
  'global clearImmediate setImmediate clearInterval clearTimeout setInterval setTimeout queueMicrotask structuredClone atob btoa performance fetch navigator crypto sessionStorage localStorage'.split(
    ' ',
  ),
);

/** What only the heap shows, such as `this` of an arrow function. It is searched once, since that blocks the process. */
export class HeapRoots {
  readonly #session: InnerSession;
  #found: readonly WeakRef<object>[] | undefined;

  constructor(session: InnerSession) {
    this.#session = session;
  }

  /** Objects of classes of the application, emitters and containers; undefined for each object that is something else. */
  *search(isOfOwnClass: (value: object) => boolean): Generator<Root | undefined> {
    const found: WeakRef<object>[] = [];
    const all = this.#found?.map((weak) => weak.deref()) ?? this.#session.instancesOf(Object.prototype);
    for (const value of all) {
      const kind = value && kindOf(value, isOfOwnClass);
      if (kind !== undefined) found.push(new WeakRef(value as object));
      yield kind && {
        value,
        place: { name: typeName(value).replace(/^function /, ''), file: undefined, how: 'on the heap' },
        kind,
      };
    }
    this.#found = found;
  }
}

function kindOf(value: object, isOfOwnClass: (value: object) => boolean): Root['kind'] | undefined {
  if (types.isProxy(value)) return undefined;
  if (typeof value === 'function') return Object.keys(value).length > 0 && isDataFunction(value) ? 'other' : undefined;
  if (classOf(value) === undefined || isPrototype(value)) return undefined;
  if (isOfOwnClass(value)) return 'own';
  return isEmitter(value) || containerKind(value) !== undefined ? 'other' : undefined;
}

/** Whether an object is the prototype of a class. */
function isPrototype(value: object): boolean {
  const maker = own(value, 'constructor');
  return isObject(maker) && !types.isProxy(maker) && own(maker, 'prototype') === value;
}

/** Excludes the worker that Node starts for module hooks. */
const isEmitter = (value: object) =>
  inheritsFrom(value, (prototype) => prototype === EventEmitter.prototype) && typeName(value) !== 'InternalWorker';
