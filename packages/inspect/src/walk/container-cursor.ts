import { types } from 'node:util';
import { nothing, type Secrecy } from '../masking/secret-key.ts';
import {
  ArrayCursor,
  type Cursor,
  IterableCursor,
  iterableCursor,
  PropertyCursor,
  type SecrecyOf,
  SetCursor,
} from './cursors.ts';
import { MapEntry, MapScan } from './map-cursors.ts';
import { threwMarker } from './markers.ts';
import { beanProperties, errorProperties, hasBeanProperty, isPlainObject } from './reflection.ts';

export interface ContainerOptions {
  readonly secrecyOf: SecrecyOf;
  readonly stacks: boolean;
  /** The only property of an object that is wanted, since to list all of many takes long. */
  readonly name?: string;
}

/** How to go through any object that is no scalar; a map must be looked at first. */
export function containerCursor(object: object, { secrecyOf, stacks, name }: ContainerOptions): Cursor | MapScan {
  if (types.isMap(object)) return new MapScan(object);
  if (types.isSet(object)) return new SetCursor(object);
  if (Array.isArray(object)) return new ArrayCursor(object);
  if (MapEntry.isOne(object)) return object.cursor(secrecyOf);
  if (types.isNativeError(object)) return new PropertyCursor(object, errorProperties(object, stacks), secrecyOf);
  const names = () => (name === undefined ? beanProperties(object) : hasBeanProperty(object, name) ? [name] : []);
  return iterableCursor(object) ?? new PropertyCursor(object, names(), secrecyOf);
}

interface SecretContainer {
  /** The object itself, and what its `toJSON` made, if anything. */
  readonly identities: readonly object[];
  readonly isList: boolean;
  readonly secrecy: Secrecy;
}

/**
 * What the entries of a container inherit from the key that it stands under: the texts of lists, maps and plain objects
 * are as secret as one text there would be. An object of a class is a component, whose own keys tell what is secret.
 */
export function inheritedSecrecy({ identities, isList, secrecy }: SecretContainer): Secrecy {
  if (secrecy === nothing || isList) return secrecy;
  const shown = identities.at(-1) as object;
  return types.isMap(shown) || MapEntry.isOne(shown) || identities.every(isPlainObject) ? secrecy : nothing;
}

/** What of an entry must not be shown; an item has no key of its own, but the item before it may name it. */
export function entrySecrecy(cursor: Cursor, inherited: Secrecy, secrecyOf: SecrecyOf): Secrecy {
  if (cursor.kind !== 'list') return cursor.secrecy;
  return inherited === nothing ? cursor.secrecy : secrecyOf(String(cursor.key));
}

/** Goes through a proxy by firing its traps, for an owner who has asked for that; a failing trap becomes the value. */
export function proxyCursor(proxy: object, secrecyOf: SecrecyOf): Cursor | string {
  try {
    if (Array.isArray(proxy)) return new IterableCursor(proxy.length, () => itemsOf(proxy));
    const names = Object.keys(proxy);
    const view = {};
    for (const name of names) {
      Object.defineProperty(view, name, { enumerable: true, get: () => Reflect.get(proxy, name) });
    }
    return new PropertyCursor(view, names, secrecyOf);
  } catch (error) {
    return threwMarker(error);
  }
}

function* itemsOf(proxy: readonly unknown[]): Generator<unknown> {
  for (let index = 0; index < proxy.length; index++) yield proxy[index];
}
