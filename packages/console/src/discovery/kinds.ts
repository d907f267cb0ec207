import { Server } from 'node:net';
import { basename } from 'node:path';
import { types } from 'node:util';
import { builtInViews, findProperty, inheritsFrom, typeName, type View, viewOf } from '@jig/inspect/internal';
import { can, entriesOf, isBuiltIn, isObject, isPlain, isPlainObject, own } from './values.ts';

// What an object is, and whether it matters: told by the views of @jig/inspect where they know its class.

/** Views of values, and of what is a detail of something else. */
const detailViews = new Set(
  'Headers FormData URLSearchParams Request Response Blob AbortSignal Intl http.Server net.Server net.Socket Timer KeyObject Stream EventEmitter ws.WebSocket symbols value'.split(
    ' ',
  ),
);
const views = builtInViews.filter(({ name }) => !detailViews.has(name));

/** Most views tell an object by its class, so that many of one class cost little. */
const viewByClass = new WeakMap<object, View | undefined>();

/** What every function has: one that has no more has no data. */
const ofFunctions = new Set<PropertyKey>(['length', 'name', 'prototype', 'arguments', 'caller']);

/** The view of an object that is no proxy: of a pool, a cache, a queue, a logger. */
export function knownView(value: object): View | undefined {
  if (typeof value === 'function')
    return Reflect.ownKeys(value).every((key) => ofFunctions.has(key)) ? undefined : viewOf(value, views);
  if (isPlainObject(value)) return viewOf(value, views);
  const prototype = Object.getPrototypeOf(value) as object;
  if (isBuiltIn(prototype)) return undefined;
  if (!viewByClass.has(prototype)) viewByClass.set(prototype, viewOf(value, views));
  return viewByClass.get(prototype);
}

/** A function that is more than code: an application of Express. */
export const isDataFunction = (value: object) => !types.isProxy(value) && knownView(value) !== undefined;

/** The name by which a server is listed: `server:3000`; empty for our own. */
export function serverName(value: object, ownSocket: string | undefined): string | undefined {
  // Not by `instanceof`, which would ask a proxy that it inherits from.
  if (!inheritsFrom(value, (prototype) => prototype === Server.prototype)) return undefined;
  const address = Server.prototype.address.call(value);
  if (address === null) return 'server';
  if (address === ownSocket) return '';
  return `server:${typeof address === 'string' ? basename(address) : address.port}`;
}

/** The application of a framework. */
export interface Framework {
  readonly name: string;
  /** What the application has put into it. */
  readonly parts: readonly (readonly [name: string, value: unknown])[];
  /** Whether it is inside of another one, as a plugin is. */
  readonly isInner?: boolean;
}

/** What the application of a framework is, by its view or its shape. */
export function frameworkOf(value: object, view: View | undefined): Framework | undefined {
  switch (view?.name ?? '') {
    case 'express.Application':
      if (can(value, 'service', 'hooks') && isObject(own(value, 'services')))
        return { name: 'feathers', parts: entriesAt(value, 'services') };
      return { name: 'express', parts: entriesAt(value, 'locals').filter(([key]) => key !== 'settings') };
    case 'fastify.FastifyInstance': {
      const parts = [...entriesOf(value)].filter(([key, each]) => !ofFastify.has(key) || isLogger(each));
      const isInner = knownView(Object.getPrototypeOf(value) as object)?.name === view?.name;
      return { name: 'fastify', parts, isInner };
    }
    case 'koa.Application':
      return { name: 'koa', parts: entriesAt(value, 'context') };
    case 'hono.Hono':
      return { name: 'hono', parts: [] };
    default:
      return hapiServer(value);
  }
}

function hapiServer(value: object): Framework | undefined {
  if (typeof value === 'function' || !isObject(own(value, '_core')) || !can(value, 'route', 'inject')) return undefined;
  const realm = own(value, 'realm');
  const parts = [...entriesAt(value, 'app'), ...entriesAt(value, 'plugins')];
  return { name: 'hapi', parts, isInner: isObject(realm) && isObject(own(realm, 'parent')) };
}

function entriesAt(object: object, key: string): Framework['parts'] {
  const value = own(object, key);
  return isObject(value) && !types.isProxy(value) ? [...entriesOf(value)] : [];
}

const ofFastify = new Set(
  'version log server addresses listeningOrigin pluginName prefix validatorCompiler serializerCompiler initialConfig errorHandler genReqId childLoggerFactory supportedMethods schemaController schemaErrorFormatter routing'.split(
    ' ',
  ),
);

const isLogger = (value: unknown) =>
  isObject(value) && !types.isProxy(value) && knownView(value)?.name === 'pino.Logger';

export type ContainerKind = 'awilix' | 'inversify' | 'nest' | 'tsyringe';

/** The kind of a container of components. */
export function containerKind(value: object): ContainerKind | undefined {
  if (typeof value === 'function') return undefined;
  const type = typeName(value);
  if (type === 'ModulesContainer' && types.isMap(value)) return 'nest';
  if (findProperty(value, 'cradle') !== undefined && can(value, 'createScope', 'loadModules')) return 'awilix';
  if (type === 'Container' && can(value, 'isBound', 'rebind', 'bind')) return 'inversify';
  return type === 'InternalDependencyContainer' ? 'tsyringe' : undefined;
}

/** What variables and classes are called that hold the state of an application. */
const componentName =
  /(?:server|app|application|router|pool|client|queue|cache|store|storage|registry|repository|container|manager|broker|bus|scheduler|compiler|engine|database|db|connection|session|service|gateway|watcher)s?$/i;

export const isCalledLikeComponent = (...names: readonly string[]) => names.some((name) => componentName.test(name));

/** What encodes, stands for a moment, or is left of one request. */
const helperTypes =
  /^(?:Text(?:En|De)coder|URL|URLSearchParams|Timeout|Immediate|Abort(?:Signal|Controller)|IncomingMessage|ServerResponse|Http2Server(?:Request|Response)|Socket|TLSSocket|Headers|Request|Response|WeakRef|WeakMap|WeakSet|StringDecoder|Intl\.\w+|Collator|NumberFormat|DateTimeFormat|ArrayBuffer|Performance|Hash|MessagePort)$/;

export const isHelper = (value: object) => ArrayBuffer.isView(value) || helperTypes.test(typeName(value));

/** Functions alone, as bundlers write what a module exports. */
export const isOnlyCode = (value: object) =>
  isPlainObject(value) && Object.keys(value).every((key) => typeof own(value, key) === 'function');

/** How many values are read to recognize a collection of plain values. */
const maxSearched = 500;

/** Whether an object contains only strings, numbers, functions and collections of these. An empty one may still be filled. */
export function isConstant(collection: object): boolean {
  const searched = new Set<object>([collection]);
  let count = 0;
  // A Set also visits what is added meanwhile.
  for (const each of searched) {
    if (types.isProxy(each)) return false;
    if (types.isRegExp(each) || types.isDate(each) || ArrayBuffer.isView(each)) continue;
    if (!isPlain(each)) return false;
    for (const [, item] of entriesOf(each)) {
      if (++count >= maxSearched) return true;
      if (typeof item === 'object' && item !== null) searched.add(item);
    }
  }
  return count > 0;
}
