import { types } from 'node:util';
import { classMarker } from './markers.ts';
import { inheritsFrom } from './reflection.ts';

export type Scalar = null | boolean | number | bigint | string;

/**
 * The scalar that represents a built-in object; undefined for binary data, containers and all other objects.
 * @param isOrdinaryClass whether its class is known not to be built in
 */
export function builtInScalar(object: object, isOrdinaryClass = false): Scalar | undefined {
  if (types.isDate(object)) return numberOrNull(Date.prototype.getTime.call(object));
  if (types.isRegExp(object)) return patternText(object);
  if (types.isBoxedPrimitive(object)) return unboxed(object);
  if (hasOpaqueSlot(object)) return classMarker(object);
  if (isOrdinaryClass) return undefined;
  return urlOf(object) ?? temporalOf(object) ?? (isOpaque(object) ? classMarker(object) : undefined);
}

const numberOrNull = (value: number) => (Number.isNaN(value) ? null : value);

function unboxed(object: object): Scalar {
  if (types.isStringObject(object)) return String.prototype.valueOf.call(object);
  if (types.isBooleanObject(object)) return Boolean.prototype.valueOf.call(object);
  if (types.isBigIntObject(object)) return BigInt.prototype.valueOf.call(object);
  if (types.isSymbolObject(object)) return String(Symbol.prototype.valueOf.call(object));
  return numberScalar(Number.prototype.valueOf.call(object));
}

/** `NaN` and `Infinity` become strings, since JSON does not have them. */
export function numberScalar(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

const flags = Object.entries({
  hasIndices: 'd',
  global: 'g',
  ignoreCase: 'i',
  multiline: 'm',
  dotAll: 's',
  unicode: 'u',
  unicodeSets: 'v',
  sticky: 'y',
});

/** Uses built-in getters, since `toString` reads properties that may be replaced. */
function patternText(pattern: object): string {
  const get = (name: string): unknown => Reflect.get(RegExp.prototype, name, pattern);
  const set = flags.filter(([name]) => get(name) === true);
  return `/${String(get('source'))}/${set.map(([, flag]) => flag).join('')}`;
}

function urlOf(object: object): string | undefined {
  if (!inheritsFrom(object, (prototype) => prototype === URL.prototype)) return undefined;
  return attempt(() => Reflect.get(URL.prototype, 'href', object) as string);
}

/** Looked up on use, since Temporal may be missing, or come later by a polyfill. */
function temporalOf(object: object): number | string | undefined {
  const { Temporal } = globalThis as { Temporal?: Record<string, { prototype: object }> };
  if (Temporal === undefined) return undefined;
  const names = Object.getOwnPropertyNames(Temporal);
  const name = names.find((each) => inheritsFrom(object, (prototype) => prototype === Temporal[each]?.prototype));
  if (name === undefined) return undefined;
  const prototype = Temporal[name]?.prototype ?? {};
  if (name === 'Instant') return attempt(() => Reflect.get(prototype, 'epochMilliseconds', object) as number);
  return attempt(() => Reflect.apply(Reflect.get(prototype, 'toString') as () => string, object, []));
}

/** Built-in methods throw for objects that only inherit from their class; those are ordinary objects. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The bytes behind a buffer, typed array, view or array buffer; undefined for anything else. */
export function bytesOf(value: object): Uint8Array | undefined {
  const isView = ArrayBuffer.isView(value);
  if (!isView && !types.isAnyArrayBuffer(value)) return undefined;
  // The memory may be detached, or too short for the view.
  return attempt(() => (isView ? viewedBytes(value) : new Uint8Array(value))) ?? new Uint8Array();
}

const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;

function viewedBytes(view: ArrayBufferView): Uint8Array {
  const prototype = types.isDataView(view) ? DataView.prototype : typedArray;
  const get = (name: string): unknown => Reflect.get(prototype, name, view);
  return new Uint8Array(get('buffer') as ArrayBuffer, get('byteOffset') as number, get('byteLength') as number);
}

const timeout = setTimeout(() => undefined, 0);
clearTimeout(timeout);
const immediate = setImmediate(() => undefined);
clearImmediate(immediate);
/** Taken at once: the fake timers of a test, which may come later, are plain objects. */
const timerPrototypes: readonly object[] = [Object.getPrototypeOf(timeout), Object.getPrototypeOf(immediate)];

let opaque: ReadonlySet<object> | undefined;

/** Created on first use, since loading these modules is slow. */
export function opaquePrototypes(): ReadonlySet<object> {
  if (opaque !== undefined) return opaque;
  const { ChildProcess } = process.getBuiltinModule('node:child_process');
  const { KeyObject } = process.getBuiltinModule('node:crypto');
  const { Socket: DatagramSocket } = process.getBuiltinModule('node:dgram');
  const { Server } = process.getBuiltinModule('node:net');
  const { Stream } = process.getBuiltinModule('node:stream');
  const { BroadcastChannel, MessagePort, Worker } = process.getBuiltinModule('node:worker_threads');
  const nodeClasses = [Stream, Server, DatagramSocket, ChildProcess, Worker, MessagePort, BroadcastChannel, KeyObject];
  const globalClasses = [ReadableStream, WritableStream, TransformStream, WeakRef, FinalizationRegistry];
  const { CryptoKey } = globalThis as { CryptoKey?: { prototype: object } };
  opaque = new Set<object>([
    ...[...nodeClasses, ...globalClasses].map((each) => each.prototype as object),
    CryptoKey?.prototype ?? KeyObject.prototype,
    ...timerPrototypes,
  ]);
  return opaque;
}

/** Deno does not have it. */
const isExternal = 'isExternal' in types ? types.isExternal : () => false;

const hasOpaqueSlot = (object: object): boolean =>
  types.isPromise(object) || types.isWeakMap(object) || types.isWeakSet(object) || isExternal(object);

/** Objects that are shown by their class only. */
export function isOpaque(object: object): boolean {
  if (hasOpaqueSlot(object)) return true;
  const prototypes = opaquePrototypes();
  return inheritsFrom(object, (prototype) => prototypes.has(prototype));
}
