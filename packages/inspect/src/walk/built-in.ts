import { types } from 'node:util';
import * as intrinsics from './intrinsics.ts';
import { dataView, typedArrayView } from './intrinsics.ts';
import { classMarker } from './markers.ts';
import { inheritsFrom } from './reflection.ts';

export type Scalar = null | boolean | number | bigint | string;

/** What a built-in that is one value, not a container, becomes; undefined for any other object. Binary data aside. */
export function builtInScalar(object: object): Scalar | undefined {
  if (types.isDate(object)) return timeOf(object);
  if (types.isRegExp(object)) return regExpText(object);
  if (types.isBoxedPrimitive(object)) return unboxed(object);
  return urlOf(object) ?? temporalOf(object) ?? (isOpaque(object) ? classMarker(object) : undefined);
}

function timeOf(date: Date): number | null {
  const time = intrinsics.dateTime(date);
  return Number.isNaN(time) ? null : time;
}

function regExpText(object: object): string {
  const text = attempt(() => `/${intrinsics.regExpSource(object)}/${intrinsics.regExpFlags(object)}`);
  return text ?? classMarker(object);
}

function unboxed(object: object): Scalar {
  if (types.isStringObject(object)) return intrinsics.stringOf(object);
  if (types.isBooleanObject(object)) return intrinsics.booleanOf(object);
  if (types.isBigIntObject(object)) return intrinsics.bigIntOf(object);
  if (types.isSymbolObject(object)) return String(intrinsics.symbolOf(object));
  return numberScalar(intrinsics.numberOf(object));
}

/** JSON has no word for these numbers, so they become text. */
export function numberScalar(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

function urlOf(object: object): string | undefined {
  if (!inheritsFrom(object, (prototype) => prototype === URL.prototype)) return undefined;
  return attempt(() => intrinsics.urlText(object));
}

const temporalTexts = 'ZonedDateTime PlainDateTime PlainDate PlainTime PlainYearMonth PlainMonthDay Duration'.split(
  ' ',
);

function temporalOf(object: object): number | string | undefined {
  const instant = intrinsics.temporalPrototype('Instant');
  if (instant === undefined) return undefined;
  if (inheritsFrom(object, (prototype) => prototype === instant)) {
    return attempt(() => intrinsics.epochMilliseconds(object));
  }
  const name = temporalTexts.find((each) =>
    inheritsFrom(object, (prototype) => prototype === intrinsics.temporalPrototype(each)),
  );
  return name === undefined ? undefined : attempt(() => intrinsics.temporalText(name, object));
}

/** Built-ins refuse an object that merely inherits from them: then it is an ordinary object. */
function attempt<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** The bytes behind a buffer, typed array, view or array buffer; undefined for anything else. */
export function bytesOf(value: object): Uint8Array | undefined {
  const isView = ArrayBuffer.isView(value);
  if (!isView && !types.isAnyArrayBuffer(value)) return undefined;
  try {
    return readable(isView ? viewedBytes(value) : new Uint8Array(value));
  } catch {
    // The memory was handed to somebody else, or became too short for the view.
    return new Uint8Array();
  }
}

/** `Buffer` asks the memory for its length, which may be replaced; then the bytes are copied. */
function readable(bytes: Uint8Array): Uint8Array {
  const { buffer } = bytes;
  const prototype: unknown = Object.getPrototypeOf(buffer);
  const isOrdinary = prototype === ArrayBuffer.prototype || prototype === SharedArrayBuffer.prototype;
  if (isOrdinary && !Object.hasOwn(buffer, 'byteLength')) return bytes;
  const copy = new Uint8Array(bytes.length);
  copy.set(bytes);
  return copy;
}

function viewedBytes(view: ArrayBufferView): Uint8Array {
  const { buffer, byteOffset, byteLength } = types.isDataView(view) ? dataView : typedArrayView;
  return new Uint8Array(buffer(view), byteOffset(view), byteLength(view));
}

let known: ReadonlySet<object> | undefined;

/** Made on first use: timers have no class that can be named, and loading these modules takes longer than loading this package. */
export function opaquePrototypes(): ReadonlySet<object> {
  if (known !== undefined) return known;
  const { ChildProcess } = process.getBuiltinModule('node:child_process');
  const { KeyObject } = process.getBuiltinModule('node:crypto');
  const { Socket: DatagramSocket } = process.getBuiltinModule('node:dgram');
  const { Server } = process.getBuiltinModule('node:net');
  const { Stream } = process.getBuiltinModule('node:stream');
  const { BroadcastChannel, MessagePort, Worker } = process.getBuiltinModule('node:worker_threads');
  const timeout = setTimeout(() => undefined, 0);
  clearTimeout(timeout);
  const immediate = setImmediate(() => undefined);
  clearImmediate(immediate);
  const machinery = [Stream, Server, DatagramSocket, ChildProcess, Worker, MessagePort, BroadcastChannel, KeyObject];
  const others = [ReadableStream, WritableStream, TransformStream, WeakRef, FinalizationRegistry];
  const { CryptoKey } = globalThis as { CryptoKey?: { prototype: object } };
  known = new Set<object>([
    ...[...machinery, ...others].map((each) => each.prototype as object),
    CryptoKey?.prototype ?? KeyObject.prototype,
    Object.getPrototypeOf(timeout),
    Object.getPrototypeOf(immediate),
  ]);
  return known;
}

/** Whether instances with this prototype are machinery that is named but never entered. */
function hasOpaqueClass(object: object): boolean {
  const opaque = opaquePrototypes();
  return inheritsFrom(object, (prototype) => opaque.has(prototype));
}

/** Deno does not have it. */
const isExternal = 'isExternal' in types ? types.isExternal : () => false;

/** Machinery that is named but never entered. */
export function isOpaque(object: object): boolean {
  return (
    types.isPromise(object) ||
    types.isWeakMap(object) ||
    types.isWeakSet(object) ||
    isExternal(object) ||
    hasOpaqueClass(object)
  );
}
