import { types } from 'node:util';
import { callGetter, functionText, promiseThen } from './intrinsics.ts';
import { classMarker, getterMarker, proxyError, threwMarker } from './markers.ts';
import { findProperty, type Getter, type GetterPolicy, getterOf, isPlainObject, ownProperty } from './reflection.ts';

const created: object[] = [];
let isCollecting = false;
const settled = Promise.resolve();
let stopHook: (() => void) | undefined;
let promiseHooks: { onInit(hook: (promise: object) => void): unknown } | undefined;
/** Bun has no hooks: no getter is run there, since a promise that it makes could end the process. */
let hasHooks = true;

let policy: GetterPolicy = 'run';

/**
 * Runs work that may call code of a bean, and marks every promise that is created meanwhile as handled: otherwise one
 * that rejects ends the process, although only inspecting has created it. Promises that existed before are not touched.
 */
export function handlingCreatedPromises<Result>(work: () => Result, getters: GetterPolicy = 'run'): Result {
  if (stopHook === undefined && hasHooks) startHook();
  // Code of a bean may inspect something itself.
  const outer = policy;
  const isInner = isCollecting;
  policy = hasHooks ? getters : 'none';
  isCollecting = true;
  try {
    return work();
  } finally {
    policy = outer;
    isCollecting = isInner;
    if (!isInner && emitWarning !== undefined) restoreWarnings();
    if (!isInner && created.length > 0) for (const promise of created.splice(0)) markHandled(promise);
  }
}

/** The hook stays until the code that is running has ended: to set it for each of many small documents costs more than they do. */
function startHook(): void {
  // Loading `node:v8` takes as long as loading this package, and is not needed before.
  promiseHooks ??= process.getBuiltinModule('node:v8').promiseHooks;
  try {
    stopHook = promiseHooks.onInit(collect) as () => void;
    promiseThen(settled, removeHook);
  } catch {
    hasHooks = false;
  }
}

function collect(promise: object): void {
  if (isCollecting) created.push(promise);
}

function removeHook(): void {
  stopHook?.();
  stopHook = undefined;
}

/** What is in its place while warnings are caught. */
let emitWarning: unknown;
let warnings = 0;
const countWarning = () => {
  warnings++;
};

/** Warnings of what only looking has called, such as deprecations, are for nobody. */
function catchWarnings(): void {
  if (!isCollecting) return;
  const real: unknown = Reflect.get(process, 'emitWarning');
  if (Reflect.set(process, 'emitWarning', countWarning)) emitWarning = real;
}

function restoreWarnings(): void {
  if (Reflect.get(process, 'emitWarning') === countWarning) Reflect.set(process, 'emitWarning', emitWarning);
  emitWarning = undefined;
}

/** What is known of a getter: a marker stands in its place, and it is not run again, if it has done more than tell. */
export interface KnownGetter {
  marker: string | undefined;
}

const knownGetters = new WeakMap<Getter, KnownGetter>();

/** @param object one that has it, or its class */
export function knownGetter(getter: Getter, object: object): KnownGetter {
  let known = knownGetters.get(getter);
  if (known === undefined) {
    known = { marker: judge(getter) };
    // Two may ask each other.
    knownGetters.set(getter, known);
    if (known.marker === undefined && asksUnrun(getter, object)) known.marker = getterMarker;
  }
  return known;
}

/** What stands in the place of a getter that is not run; undefined where it is, as one that was set aside if it is wanted. */
export function unrunMarker(
  getter: Getter,
  object: object,
  isOwn: boolean,
  isWanted = false,
  known = knownGetter(getter, object),
): string | undefined {
  if (policy !== 'run' && (policy === 'none' || !isOwn)) return getterMarker;
  return isWanted ? undefined : known.marker;
}

const makesPromise = /\bnew Promise\b|(?<![.\w])async\s*(?:\(|function\b|\w+\s*=>)/;

/** As getters do that are deprecated. */
const prints = /\bconsole\.\w+\(/;

/** `this.api ??= new Api()`: makes a component of the application when it is asked for; a map or a date is none. */
const keepsNew =
  /\bthis(?:\.#?[\w$]+|\[[\w$.]+\])\s*(?:\?\?|\|\|)?=\s*\(*new\b(?! (?:(?:Weak)?(?:Map|Set|Ref)|Date|URL\w*|RegExp|\w*Error|\w*Array|Intl)\b)/;

/** Whether code ends with a statement, or an expression with a comma, and then its own object. */
function returnsItself(code: string): boolean {
  const end = code
    .slice(-200)
    .replaceAll(/\s+/g, ' ')
    .replace(/ ?;? ?\}$/, '');
  if (!/\bthis$/.test(end)) return false;
  const before = end.slice(0, -'this'.length).trimEnd();
  return before.endsWith(',') || (before.endsWith('return') && !/\{ ?return$/.test(before));
}

/**
 * One whose code begins something that it does not wait for, prints, or makes a component and keeps it, is not even run
 * once: it may make what was not there. Nor is one that does something and returns its own object, as `volatile` of socket.io sets
 * a flag for the next message.
 */
function judge(getter: Getter): string | undefined {
  const code = functionText(getter);
  if (makesPromise.test(code)) return classMarker(settled);
  return prints.test(code) || keepsNew.test(code) || returnsItself(code) ? getterMarker : undefined;
}

/** One that asks another which is not run, as `this.api.calls` does, would run it. */
function asksUnrun(getter: Getter, object: object): boolean {
  return [...functionText(getter).matchAll(/\bthis\.(\w+)/g)].some(([, name]) => {
    const asked = getterOf(findProperty(object, name as string));
    return asked !== undefined && asked !== getter && knownGetter(asked, object).marker === getterMarker;
  });
}

/**
 * What a getter returns, or a marker in its place. It is set aside if it returns a promise that it has made, or causes a
 * warning of the process; a promise that was there before is only told. What it throws is thrown.
 */
export function getterResult(getter: Getter, object: object, isOwn: boolean, isWanted = false): unknown {
  if (types.isProxy(getter)) throw proxyError;
  return unproxiedResult(getter, object, isOwn, isWanted);
}

/** The same of a getter that is known to be no proxy. */
export function unproxiedResult(
  getter: Getter,
  object: object,
  isOwn: boolean,
  isWanted = false,
  known = knownGetter(getter, object),
): unknown {
  const marker = unrunMarker(getter, object, isOwn, isWanted, known);
  if (marker !== undefined) return marker;
  if (emitWarning === undefined) catchWarnings();
  const before = warnings;
  const made = created.length;
  const value = callGetter(getter, object);
  if (warnings === before && created.length === made) return value;
  const isPromise = created.includes(value as object, made);
  if (!isPromise && warnings === before) return value;
  known.marker = isPromise ? classMarker(value as object) : getterMarker;
  return isWanted ? value : known.marker;
}

const noParameters: readonly unknown[] = [];

const ignore = () => undefined;

/** Adds a handler without running any code of the promise's class, which `then` would ask for its species. */
function markHandled(promise: object): void {
  if (findProperty(promise, 'constructor')?.value === Promise) {
    promiseThen(promise, undefined, ignore);
    return;
  }
  const own = ownProperty(promise, 'constructor');
  const isHidden = Reflect.defineProperty(promise, 'constructor', { value: undefined, configurable: true });
  try {
    promiseThen(promise, undefined, ignore);
  } catch {
    // Only a sealed promise of a class whose constructor fails comes here.
  }
  if (!isHidden) return;
  if (own === undefined) Reflect.deleteProperty(promise, 'constructor');
  else Reflect.defineProperty(promise, 'constructor', own);
}

type ToJson = (this: object, key: string) => unknown;

export function findToJson(object: object): ToJson | undefined {
  const toJson: unknown = findProperty(object, 'toJSON')?.value;
  return typeof toJson === 'function' && !types.isProxy(toJson) ? (toJson as ToJson) : undefined;
}

/** The result of `toJSON`, or a marker for what it threw. */
export function callToJson(toJson: ToJson, object: object, key: string): unknown {
  try {
    return Reflect.apply(toJson, object, [key]);
  } catch (error) {
    return threwMarker(error);
  }
}

/** Calls code of a bean, unless it is a proxy, which would fire its trap. */
export function callBeanCode(code: unknown, target: object, parameters = noParameters): unknown {
  if (typeof code !== 'function') throw new TypeError('what should be called is no function');
  if (types.isProxy(code)) throw proxyError;
  return Reflect.apply(code, target, parameters);
}

/**
 * Whether a getter makes a new object of the class of its own object whenever it is asked, as builders do: each has the
 * same getter, so to enter them would not end.
 */
export function isMadeAnew(value: unknown, object: object, getter: Getter): value is object {
  if (typeof value !== 'object' || value === null || value === object) return false;
  // Of a list, no getters are shown.
  if (Array.isArray(value) || types.isProxy(value)) return false;
  if (Object.getPrototypeOf(value) !== Object.getPrototypeOf(object)) return false;
  if (isPlainObject(object) || types.isPromise(value)) return false;
  try {
    return callBeanCode(getter, object) !== value;
  } catch {
    return true;
  }
}

/** Reads a property as the language does, but fires no trap on the way. */
export function getProperty(object: object, key: PropertyKey): unknown {
  if (types.isProxy(object)) throw proxyError;
  const descriptor = findProperty(object, key);
  const getter = getterOf(descriptor);
  return getter === undefined ? descriptor?.value : callBeanCode(getter, object);
}

/** The value of an own property, or a marker for a getter that is not run; what it throws is thrown. */
export function propertyValue(object: object, descriptor: PropertyDescriptor | undefined, isOwn = true): unknown {
  const getter = getterOf(descriptor);
  if (getter === undefined) return descriptor?.value;
  return getterResult(getter, object, isOwn);
}

/** The value of a property, or a marker for what its getter threw. */
export function readProperty(object: object, descriptor: PropertyDescriptor | undefined, isOwn = true): unknown {
  try {
    return propertyValue(object, descriptor, isOwn);
  } catch (error) {
    return threwMarker(error);
  }
}
