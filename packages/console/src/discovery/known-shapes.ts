import { Server } from 'node:net';
import { basename } from 'node:path';
import { types } from 'node:util';
import {
  builtInViews,
  dataProperty,
  findProperty,
  inheritsFrom,
  typeName,
  type View,
  viewOf,
} from '@jig/inspect/internal';
import { isBuiltIn, isObject, own } from './object-kinds.ts';

/** Not significant alone: all emitters and streams have one. */
const lesserViews = new Set(
  'Headers FormData URLSearchParams Request Response Blob AbortSignal Intl http.Server net.Server net.Socket Timer KeyObject Stream EventEmitter ws.WebSocket symbols'.split(
    ' ',
  ),
);
const views = builtInViews.filter(({ name }) => !lesserViews.has(name));

/** Most views tell an object by its class, so that many of one class cost little. */
const viewByClass = new WeakMap<object, View | undefined>();

/** What every function has: one that has no more has no data. */
const ofFunctions = new Set<PropertyKey>(['length', 'name', 'prototype', 'arguments', 'caller']);

/** What is known of the class of an object that is no proxy: a pool, a cache, a queue, a logger. */
export function knownView(value: object): View | undefined {
  if (typeof value === 'function' && Reflect.ownKeys(value).every((key) => ofFunctions.has(key))) return undefined;
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === null || typeof value === 'function' || prototype === Object.prototype) return viewOf(value, views);
  if (types.isProxy(prototype) || isBuiltIn(prototype)) return undefined;
  if (!viewByClass.has(prototype)) viewByClass.set(prototype, viewOf(value, views));
  return viewByClass.get(prototype);
}

/** An Express application is a function. */
export const isDataFunction = (value: object) => !types.isProxy(value) && knownView(value) !== undefined;

/** Not by `instanceof`, which would ask a proxy that it inherits from. */
export const isServer = (value: object): value is Server =>
  inheritsFrom(value, (prototype) => prototype === Server.prototype);

/** The name by which a server is listed: `server:3000`; empty for our own. */
export function serverName(value: object, ownSocket: string | undefined): string | undefined {
  if (!isServer(value)) return undefined;
  const address = Server.prototype.address.call(value);
  if (address === null) return 'server';
  if (address === ownSocket) return '';
  return `server:${typeof address === 'string' ? basename(address) : address.port}`;
}

/** A framework's application: its name, and its parts. */
export interface KnownFramework {
  readonly name: string;
  /** Whether it is inside of another, as a plugin of Fastify is. */
  readonly isPart?: boolean;
  parts(): Iterable<readonly [name: string, value: unknown]>;
}

const has = (object: object, ...names: readonly string[]) => names.every((name) => own(object, name) !== undefined);
const can = (object: object, ...names: readonly string[]) =>
  names.every((name) => typeof dataProperty(object, name) === 'function');

/** What an object has under a key, entry by entry. */
function* entriesAt(object: object, ...keys: readonly string[]): Generator<readonly [string, unknown]> {
  for (const key of keys) {
    const value = own(object, key);
    if (isObject(value) && !types.isProxy(value)) for (const name of Object.keys(value)) yield [name, own(value, name)];
  }
}

const ofFastify = new Set(
  'version log server addresses listeningOrigin pluginName prefix validatorCompiler serializerCompiler initialConfig errorHandler genReqId childLoggerFactory supportedMethods schemaController schemaErrorFormatter routing'.split(
    ' ',
  ),
);

const isLogger = (value: unknown) =>
  isObject(value) && !types.isProxy(value) && knownView(value)?.name === 'pino.Logger';

const byView: Readonly<Record<string, string>> = {
  'express.Application': 'express',
  'fastify.FastifyInstance': 'fastify',
  'koa.Application': 'koa',
  'hono.Hono': 'hono',
};

/** By shape, since there may be several copies of a framework; runs no code of it. */
export function knownFramework(value: object, view: View | undefined): KnownFramework | undefined {
  const name = byView[view?.name ?? ''];
  if (name !== undefined && can(value, 'service', 'hooks') && has(value, 'services'))
    return { name: 'feathers', parts: () => entriesAt(value, 'services') };
  if (name === 'express')
    return { name, parts: () => [...entriesAt(value, 'locals')].filter(([key]) => key !== 'settings') };
  if (name === 'fastify')
    return {
      name,
      isPart: knownView(Object.getPrototypeOf(value) as object)?.name === view?.name,
      parts: () => ownEntries(value).filter(([key, each]) => !ofFastify.has(key) || isLogger(each)),
    };
  if (name === 'koa') return { name, parts: () => entriesAt(value, 'context') };
  if (name !== undefined) return { name, parts: () => [] };
  if (typeof value === 'function') return undefined;
  if (has(value, '_core', 'info', 'settings') && can(value, 'route', 'inject'))
    return { name: 'hapi', isPart: hasParent(value), parts: () => entriesAt(value, 'app', 'plugins') };
  if (has(value, 'router', 'server') && can(value, 'pre', 'use', 'listen', 'inflightRequests'))
    return { name: 'restify', parts: () => [] };
  if (typeName(value) === 'Polka') return { name: 'polka', parts: () => [] };
  return undefined;
}

/** Each plugin of hapi has a server of its own. */
function hasParent(server: object): boolean {
  const realm = own(server, 'realm');
  return isObject(realm) && isObject(own(realm, 'parent'));
}

const ownEntries = (object: object) => Object.keys(object).map((name) => [name, own(object, name)] as const);

export type ContainerKind = 'awilix' | 'inversify' | 'nest' | 'tsyringe';

/** The kind of a container of components. */
export function containerKind(value: object): ContainerKind | undefined {
  if (typeof value === 'function') return undefined;
  const type = typeName(value);
  if (type === 'ModulesContainer' && types.isMap(value)) return 'nest';
  if (
    findProperty(value, 'cradle') !== undefined &&
    can(value, 'createScope', 'loadModules') &&
    types.isMap(own(value, 'cache'))
  )
    return 'awilix';
  if (type === 'Container' && can(value, 'isBound', 'rebind', 'bind')) return 'inversify';
  return type === 'InternalDependencyContainer' ? 'tsyringe' : undefined;
}
