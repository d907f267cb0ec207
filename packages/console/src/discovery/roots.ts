import { EventEmitter } from 'node:events';
import Module from 'node:module';
import timers from 'node:timers';
import { types } from 'node:util';
import { dataProperty, type InnerSession, inheritsFrom, typeName } from '@jig/inspect/internal';
import { type ApplicationFiles, cachedModules, fileOfUrl } from './application-files.ts';
import type { Place } from './finds.ts';
import { containerKind, isDataFunction } from './known-shapes.ts';
import { classOf, isObject, isPlainObject, isPrototype, own, shownKey } from './object-kinds.ts';
import { isGlobalOfNode } from './outside.ts';

/** Something to begin a search at. */
export interface Root {
  readonly value: unknown;
  readonly place: Place;
  /** A variable of the application is a component; its other objects are only searched before those of libraries. */
  readonly kind: 'variable' | 'own' | 'other';
}

/** What CommonJS modules export. Those that others need were loaded after them, and give their names. */
export function* exportsOf(files: ApplicationFiles): Generator<Root> {
  for (const [file, exports] of [...files.loaded()].reverse()) {
    if (!isObject(exports) || types.isProxy(exports)) continue;
    const place = { name: '', file, how: 'exported by the module' };
    yield { value: exports, place, kind: isPlainObject(exports) ? 'own' : 'variable' };
    for (const name of isPlainObject(exports) ? Object.keys(exports) : [])
      yield { value: own(exports, name), place: { ...place, name }, kind: 'variable' };
  }
}

/** What ES modules export, apart from what is not there before they have run. */
export function* exportsOfEsModules(
  files: ApplicationFiles,
  session: InnerSession,
  ownFolder: string | undefined,
): Generator<Root> {
  for (const [url, exports] of loadedEsModules(session)) {
    const file = fileOfUrl(url);
    const isOurs = ownFolder !== undefined && url.startsWith(ownFolder);
    if (isOurs || !files.isOwn(file) || Object.hasOwn(cachedModules(), file)) continue;
    files.add(file);
    for (const key of Reflect.ownKeys(exports)) {
      const place = { name: key === 'default' ? '' : shownKey(key), file, how: 'exported by the module' };
      yield { value: exported(exports, key), place, kind: 'variable' };
    }
  }
}

const activeHandles = (): readonly object[] =>
  (process as unknown as { _getActiveHandles?(): readonly object[] })._getActiveHandles?.() ?? [];

function exported(exports: object, key: PropertyKey): unknown {
  try {
    return own(exports, key);
  } catch {
    return undefined;
  }
}

/** What is open in the process, timers, and global variables. */
export function* rootsOfProcess(session: InnerSession): Generator<Root> {
  for (const value of timerCallbacks(session))
    yield { value, place: { name: 'timer', file: undefined, how: 'timer' }, kind: 'other' };
  for (const value of activeHandles())
    yield { value, place: { name: typeName(value), file: undefined, how: 'open handle' }, kind: 'other' };
  for (const listeners of Object.values((own(process, '_events') as object | undefined) ?? {}))
    for (const value of [listeners].flat() as unknown[])
      yield { value, place: { name: 'process', file: undefined, how: 'listener of the process' }, kind: 'other' };
  for (const key of Reflect.ownKeys(globalThis)) {
    const place = { name: `global.${shownKey(key)}`, file: undefined, how: 'global variable' };
    if (!isGlobalOfNode(key)) yield { value: own(globalThis, key), place, kind: 'variable' };
  }
}

// What only functions of Node see: the inspector shows it without running any. In a Node that has it elsewhere, it is not found.

/** The ES modules that have been linked: `import()` of one that is not loaded would run it. */
export function* loadedEsModules(session: InnerSession): Generator<readonly [url: string, exports: object]> {
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
export function* timerCallbacks(session: InnerSession): Generator<unknown> {
  const lists = seenBy(session, timers.setTimeout, 'timerListMap');
  let count = 0;
  for (const list of isObject(lists) ? Object.values(lists) : [])
    for (let timer = own(list, '_idleNext'); isObject(timer) && timer !== list; timer = own(timer, '_idleNext')) {
      if (++count > maxTimers) return;
      yield own(timer, '_onTimeout');
      yield own(timer, '_timerArgs');
    }
}

/** A variable of the Node module that contains a function, unless the function was replaced. */
function seenBy(session: InnerSession, code: object, variable: string): unknown {
  if (types.isProxy(code)) return undefined;
  const { variables = {} } = session.detailsOf(code).scopes.at(-1) ?? {};
  return own(variables, variable);
}

/** What only the heap knows, such as `this` of an arrow function. It is asked once, since the process stops for it. */
export class HeapRoots {
  readonly #session: InnerSession;
  #found: readonly (readonly [WeakRef<object>, Root['kind']])[] | undefined;

  constructor(session: InnerSession) {
    this.#session = session;
  }

  /** Objects of classes of the application, emitters and containers; undefined for each object that is something else. */
  *search(isOfOwnClass: (value: object) => boolean): Generator<Root | undefined> {
    if (this.#found !== undefined) {
      for (const [weak, kind] of this.#found) yield rootOf(weak.deref(), kind);
      return;
    }
    const found: (readonly [WeakRef<object>, Root['kind']])[] = [];
    for (const each of this.#session.instancesOf(Object.prototype)) {
      const kind = types.isProxy(each) || isPrototype(each) ? undefined : kindOf(each, isOfOwnClass);
      if (kind !== undefined) found.push([new WeakRef(each), kind]);
      yield kind && rootOf(each, kind);
    }
    this.#found = found;
  }
}

function kindOf(value: object, isOfOwnClass: (value: object) => boolean): Root['kind'] | undefined {
  if (typeof value !== 'function') {
    if (classOf(value) === undefined) return undefined;
    if (isOfOwnClass(value)) return 'own';
    return isEmitter(value) || containerKind(value) !== undefined ? 'other' : undefined;
  }
  return Object.keys(value).length > 0 && isDataFunction(value) ? 'other' : undefined;
}

function rootOf(value: object | undefined, kind: Root['kind']): Root | undefined {
  if (value === undefined) return undefined;
  const place = { name: typeName(value).replace(/^function /, ''), file: undefined, how: 'on the heap' };
  return { value, place, kind };
}

/** Node's own thread for hooks of modules is none of the application's. */
const isEmitter = (value: object) =>
  inheritsFrom(value, (prototype) => prototype === EventEmitter.prototype) && typeName(value) !== 'InternalWorker';
