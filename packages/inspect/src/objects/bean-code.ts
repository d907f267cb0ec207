import { types } from 'node:util';
import type { Context } from './context.ts';
import { classMarker, type EntryMark, getterMarker, proxyMarker, threwMarker } from './markers.ts';
import { dataProperty, findProperty, type Getter, getterOf, isPlainObject, ownProperty } from './reflection.ts';

const created: object[] = [];
let isCollecting = false;
let warnings = 0;
let stopHook: (() => void) | undefined;
/** Bun has no hooks, so no getter is run there: its promise could end the process. */
let hasHooks = true;

/**
 * Runs work that calls code of a bean, and marks every promise that is created meanwhile as handled: otherwise one
 * that rejects would end the process, although only an inspection has created it. Warnings that this code causes are
 * suppressed.
 */
export function handlingCreatedPromises<Result>(work: () => Result): Result {
  startHook();
  return handlingPromises(work);
}

/** The same for work that rarely calls code of a bean; the hooks, which are slow to set, are only set just before that. */
export function handlingPromises<Result>(work: () => Result): Result {
  // Code of a bean may inspect something itself.
  const isInner = isCollecting;
  isCollecting = true;
  try {
    return work();
  } finally {
    isCollecting = isInner;
    if (!isInner && created.length > 0) for (const promise of created.splice(0)) markHandled(promise);
  }
}

/** The hooks stay set until the current code has ended. */
function startHook(): void {
  if (stopHook !== undefined || !hasHooks) return;
  try {
    const emitWarning = Reflect.get(process, 'emitWarning') as (...warning: unknown[]) => void;
    const countWarning = (...warning: unknown[]): void => {
      if (isCollecting) warnings++;
      else Reflect.apply(emitWarning, process, warning);
    };
    const { promiseHooks } = process.getBuiltinModule('node:v8');
    stopHook = promiseHooks.onInit((promise: object) => {
      if (isCollecting) created.push(promise);
    }) as () => void;
    Reflect.set(process, 'emitWarning', countWarning);
    queueMicrotask(() => {
      if (Reflect.get(process, 'emitWarning') === countWarning) Reflect.set(process, 'emitWarning', emitWarning);
      stopHook?.();
      stopHook = undefined;
    });
  } catch {
    hasHooks = false;
  }
}

const ignore = () => undefined;

/** Hides the constructor meanwhile, since `then` would call that of a subclass. */
function markHandled(promise: object): void {
  const own = ownProperty(promise, 'constructor');
  const isPlain = dataProperty(promise, 'constructor') === Promise;
  const isHidden = !isPlain && Reflect.defineProperty(promise, 'constructor', { value: undefined, configurable: true });
  try {
    void Promise.prototype.then.call(promise, undefined, ignore);
  } catch {
    // Only a sealed promise of a class whose constructor fails comes here.
  }
  if (isHidden && own === undefined) Reflect.deleteProperty(promise, 'constructor');
  else if (isHidden) Reflect.defineProperty(promise, 'constructor', own as PropertyDescriptor);
}

/** The shown value of a property, and whether it is a marker. */
export interface GetterResult {
  readonly value: unknown;
  readonly mark: EntryMark | undefined;
}

/** The marker of each getter that is not run because it has effects; null for getters that are run. */
const knownMarkers = new WeakMap<Getter, string | null>();

const makesPromise = /\bnew Promise\b|(?<![.\w])async\s*(?:\(|function\b|\w+\s*=>)/;
/** Prints, as deprecated getters do, or creates and keeps a component: `this.api ??= new Api()`, but not a map or a date. */
const hasSideEffect =
  /\bconsole\.\w+\(|\bthis(?:\.#?[\w$]+|\[[\w$.]+\])\s*(?:\?\?|\|\|)?=\s*\(*new\b(?! (?:(?:Weak)?(?:Map|Set|Ref)|Date|URL\w*|RegExp|\w*Error|\w*Array|Intl)\b)/;
/** Has an effect and returns `this`, as `volatile` of socket.io does. */
const returnsItself = /[;,}]\s{0,200}(?:return\s{1,20})?this\s{0,20};?\s{0,200}\}$/;

/** @param object the owner of the getter, or its class */
function markerFor(getter: Getter, object: object): string | null {
  let marker = knownMarkers.get(getter);
  if (marker !== undefined) return marker;
  // Getters may be mutually recursive.
  knownMarkers.set(getter, null);
  marker = markerBySource(getter, object);
  knownMarkers.set(getter, marker);
  return marker;
}

function markerBySource(getter: Getter, object: object): string | null {
  const code = Function.prototype.toString.call(getter);
  if (makesPromise.test(code)) return '[Promise]';
  if (hasSideEffect.test(code) || returnsItself.test(code)) return getterMarker;
  // A getter that reads a getter with effects would run that.
  const getters = [...code.matchAll(/\bthis\.(\w+)/g)].map(([, name = '']) => getterOf(findProperty(object, name)));
  return getters.some((each) => each !== undefined && markerFor(each, object) === getterMarker) ? getterMarker : null;
}

/** Runs a getter. If it creates a promise or causes a warning, it is not run again. */
export function runGetter(
  getter: Getter,
  object: object,
  key: string | number,
  { getters }: Context,
  isRequested = false,
): GetterResult {
  const known = knownMarkers.get(getter);
  if (known === undefined && types.isProxy(getter)) return { value: proxyMarker, mark: 'threw' };
  startHook();
  if (!hasHooks || getters === 'none' || (getters === 'own' && !Object.hasOwn(object, key)))
    return { value: getterMarker, mark: 'getter' };
  const marker = isRequested || known === null ? null : markerFor(getter, object);
  if (marker !== null) return { value: marker, mark: 'getter' };
  const createdBefore = created.length;
  const warningsBefore = warnings;
  try {
    const value = Reflect.apply(getter, object, []);
    const isPromise = created.length > createdBefore && created.includes(value as object, createdBefore);
    if (isPromise || warnings > warningsBefore) {
      knownMarkers.set(getter, isPromise ? classMarker(value as object) : getterMarker);
      return isRequested ? { value, mark: undefined } : { value: knownMarkers.get(getter), mark: 'getter' };
    }
    return { value, mark: !isRequested && returnsNewObject(value, object, getter) ? 'new' : undefined };
  } catch (error) {
    return { value: threwMarker(error), mark: 'threw' };
  }
}

/** Thrown instead of firing the trap of a proxy. */
const proxyError = new Error(proxyMarker);

/** Calls a method of a bean. */
export function callBeanCode(code: unknown, object: object, parameters: readonly unknown[] = []): unknown {
  if (types.isProxy(code)) throw proxyError;
  if (typeof code !== 'function') throw new TypeError('what should be called is no function');
  startHook();
  return Reflect.apply(code, object, parameters);
}

/** Reads a property of an object that a method of a bean has returned. */
export function getProperty(object: object, key: PropertyKey): unknown {
  if (types.isProxy(object)) throw proxyError;
  const property = findProperty(object, key);
  const getter = getterOf(property);
  return getter === undefined ? property?.value : callBeanCode(getter, object);
}

/** The marker for an error that such code has thrown. */
export const thrownMarker = (error: unknown) => (error === proxyError ? proxyMarker : threwMarker(error));

/** Whether a getter returns a new object of its own class at each call, as builders do, which would never end. */
function returnsNewObject(value: unknown, object: object, getter: Getter): boolean {
  if (typeof value !== 'object' || value === null || value === object || types.isProxy(value)) return false;
  if (Object.getPrototypeOf(value) !== Object.getPrototypeOf(object)) return false;
  if (Array.isArray(value) || types.isPromise(value) || isPlainObject(object)) return false;
  try {
    return Reflect.apply(getter, object, []) !== value;
  } catch {
    return true;
  }
}

/** The method `toJSON` of an object. */
export function findToJson(object: object, context: Context): unknown {
  if (!context.classOf(object).hasToJson && !Object.hasOwn(object, 'toJSON')) return undefined;
  const toJson = dataProperty(object, 'toJSON');
  return typeof toJson === 'function' && !types.isProxy(toJson) ? toJson : undefined;
}
