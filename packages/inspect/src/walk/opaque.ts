import { types } from 'node:util';
import { inheritsFrom } from './property.ts';

let known: ReadonlySet<object> | undefined;

/** Made on first use: timers have no class that can be named, and loading these modules takes longer than loading this package. */
function opaquePrototypes(): ReadonlySet<object> {
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
export function hasOpaqueClass(object: object): boolean {
  const opaque = opaquePrototypes();
  return inheritsFrom(object, (prototype) => opaque.has(prototype));
}

export function isOpaque(object: object): boolean {
  return (
    types.isPromise(object) ||
    types.isWeakMap(object) ||
    types.isWeakSet(object) ||
    types.isExternal(object) ||
    hasOpaqueClass(object)
  );
}
