import { types } from 'node:util';
import { allSecret } from '../masking/secret-key.ts';
import type { Context } from '../objects/context.ts';
import { isCollection } from '../objects/reflection.ts';
import type { EntryCursor, ReadOptions } from './entry-cursor.ts';
import { Items, Iterated, listLength, Values } from './lists.ts';
import { mapOf } from './maps.ts';
import { namesBesideEntries, Properties } from './properties.ts';

export type ContainerKind = 'object' | 'array' | 'map' | 'set';

export function containerKind(object: object, context: Context, isDataOnly?: boolean): ContainerKind {
  if (isCollection(object)) return namesBesideEntries(object, context).length > 0 ? 'object' : kindOfEntries(object);
  return listLength(object, context, isDataOnly) === undefined ? 'object' : 'array';
}

/** The kind of a collection, by its entries. */
export function kindOfEntries(object: object): ContainerKind {
  if (Array.isArray(object)) return 'array';
  if (types.isMap(object)) return 'map';
  return 'set';
}

/** @param kind of the object, if known */
export function cursorOf(
  object: object,
  options: ReadOptions,
  kind = containerKind(object, options.context, options.isDataOnly),
): EntryCursor {
  if (kind === 'object') return new Properties(object, options);
  if (Array.isArray(object)) return new Items(object, options);
  if (kind === 'map') return mapOf(object as Map<unknown, unknown>, options);
  if (kind === 'set') return new Values(setSize(object), Set.prototype.values.call(object), options);
  return new Iterated(listLength(object, options.context, options.isDataOnly) ?? 0, object, options);
}

export const setSize = (set: object): number => Reflect.get(Set.prototype, 'size', set) as number;

/** The number of entries of an object, without reading them. */
export function sizeOf(object: object, context: Context, kind?: ContainerKind): number {
  return cursorOf(object, { context, secrecyOf: () => allSecret }, kind).size;
}
