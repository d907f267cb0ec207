import { Server } from 'node:net';
import { basename } from 'node:path';
import { types } from 'node:util';
import { builtInViews, findProperty, inheritsFrom, typeName, type View, viewOf } from '@jig/inspect/internal';
import { entriesOf, hasMethods, isBuiltIn, isObject, isPlain, isPlainObject, own } from './values.ts';

// What an object is, and whether it matters: by the views of @jig/inspect if one knows its class.

/** Views of plain values, and of details of other objects. */
const detailViews = new Set(
  'Headers FormData URLSearchParams Request Response Blob AbortSignal Intl http.Server net.Server net.Socket Timer KeyObject Stream EventEmitter ws.WebSocket symbols value'.split(
    ' ',
  ),
);
const views = builtInViews.filter(({ name }) => !detailViews.has(name));

/** Most views recognise an object by its class, so one lookup per class is enough. */
const viewByClass = new WeakMap<object, View | undefined>();

/** The properties of every function; one without others holds no data. */
const functionKeys = new Set<PropertyKey>(['length', 'name', 'prototype', 'arguments', 'caller']);

/** The view of an object that is not a proxy, such as a pool, a cache, a queue or a logger. */
export function knownView(value: object): View | undefined {
  if (typeof value === 'function')
    return Reflect.ownKeys(value).every((key) => functionKeys.has(key)) ? undefined : viewOf(value, views);
  if (isPlainObject(value)) return viewOf(value, views);
  const prototype = Object.getPrototypeOf(value) as object;
  if (isBuiltIn(prototype)) return undefined;
  if (!viewByClass.has(prototype)) viewByClass.set(prototype, viewOf(value, views));
  return viewByClass.get(prototype);
}

/** A function that is more than code: an application of Express. */
export const isDataFunction = (value: object) => !types.isProxy(value) && knownView(value) !== undefined;

/** The name of a server in the list, such as `server:3000`; empty for the agent's own, undefined for other objects. */
export function serverName(value: object, ownSocket: string | undefined): string | undefined {
  // `instanceof` would run the traps of a proxy in the prototype chain.
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
  /** Whether it is inside another one, as a plugin is. */
  readonly isInner?: boolean;
}

/** Recognises the application of a framework by its view or its shape. */
export function frameworkOf(value: object, view: View | undefined): Framework | undefined {
  switch (view?.name ?? '') {
    case 'express.Application':
      if (hasMethods(value, 'service', 'hooks') && isObject(own(value, 'services')))
        return { name: 'feathers', parts: entriesAt(value, 'services') };
      return { name: 'express', parts: entriesAt(value, 'locals').filter(([key]) => key !== 'settings') };
    case 'fastify.FastifyInstance': {
      const parts = [...entriesOf(value)].filter(([key, each]) => !fastifyKeys.has(key) || isLogger(each));
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
  if (typeof value === 'function' || !isObject(own(value, '_core')) || !hasMethods(value, 'route', 'inject'))
    return undefined;
  const realm = own(value, 'realm');
  const parts = [...entriesAt(value, 'app'), ...entriesAt(value, 'plugins')];
  return { name: 'hapi', parts, isInner: isObject(realm) && isObject(own(realm, 'parent')) };
}

function entriesAt(object: object, key: string): Framework['parts'] {
  const value = own(object, key);
  return isObject(value) && !types.isProxy(value) ? [...entriesOf(value)] : [];
}

const fastifyKeys = new Set(
  'version log server addresses listeningOrigin pluginName prefix validatorCompiler serializerCompiler initialConfig errorHandler genReqId childLoggerFactory supportedMethods schemaController schemaErrorFormatter routing'.split(
    ' ',
  ),
);

const isLogger = (value: unknown) =>
  isObject(value) && !types.isProxy(value) && knownView(value)?.name === 'pino.Logger';

export type ContainerKind = 'awilix' | 'inversify' | 'nest' | 'tsyringe';

/** The kind of a dependency injection container; undefined for other objects. */
export function containerKind(value: object): ContainerKind | undefined {
  if (typeof value === 'function') return undefined;
  const type = typeName(value);
  if (type === 'ModulesContainer' && types.isMap(value)) return 'nest';
  if (findProperty(value, 'cradle') !== undefined && hasMethods(value, 'createScope', 'loadModules')) return 'awilix';
  if (type === 'Container' && hasMethods(value, 'isBound', 'rebind', 'bind')) return 'inversify';
  return type === 'InternalDependencyContainer' ? 'tsyringe' : undefined;
}

/** Typical names of variables and classes that hold the state of an application. */
const componentName =
  /(?:server|app|application|router|pool|client|queue|cache|store|storage|registry|repository|container|manager|broker|bus|scheduler|compiler|engine|database|db|connection|session|service|gateway|watcher)s?$/i;

export const hasComponentName = (...names: readonly string[]) => names.some((name) => componentName.test(name));

/** Types that encode, are short-lived, or belong to a single request. */
const helperTypes =
  /^(?:Text(?:En|De)coder|URL|URLSearchParams|Timeout|Immediate|Abort(?:Signal|Controller)|IncomingMessage|ServerResponse|Http2Server(?:Request|Response)|Socket|TLSSocket|Headers|Request|Response|WeakRef|WeakMap|WeakSet|StringDecoder|Intl\.\w+|Collator|NumberFormat|DateTimeFormat|ArrayBuffer|Performance|Hash|MessagePort)$/;

export const isHelper = (value: object) => ArrayBuffer.isView(value) || helperTypes.test(typeName(value));

/** Whether an object holds only functions, as bundlers write the exports of a module. */
export const hasOnlyFunctions = (value: object) =>
  isPlainObject(value) && Object.keys(value).every((key) => typeof own(value, key) === 'function');

/** How many values are read to recognize a collection of plain values. */
const maxSearched = 500;

/** Whether an object contains only strings, numbers, functions and collections of these. An empty one may still be filled. */
export function isConstant(collection: object): boolean {
  const searched = new Set<object>([collection]);
  let count = 0;
  // The iteration includes what is added to the Set meanwhile.
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
