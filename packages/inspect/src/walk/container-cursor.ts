import { types } from 'node:util';
import {
  ArrayCursor,
  type Cursor,
  type Hides,
  IterableCursor,
  iterableCursor,
  PropertyCursor,
  SetCursor,
} from './cursors.ts';
import { MapEntry, MapScan } from './map-cursors.ts';
import { threwMarker } from './markers.ts';
import { beanProperties, errorProperties } from './reflection.ts';

export interface ContainerOptions {
  readonly hides: Hides;
  readonly stacks: boolean;
}

/** How to go through any object that is no scalar; a map must be looked at first. */
export function containerCursor(object: object, { hides, stacks }: ContainerOptions): Cursor | MapScan {
  if (types.isMap(object)) return new MapScan(object);
  if (types.isSet(object)) return new SetCursor(object);
  if (Array.isArray(object)) return new ArrayCursor(object);
  if (MapEntry.isOne(object)) return object.cursor(hides);
  if (types.isNativeError(object)) return new PropertyCursor(object, errorProperties(object, stacks), hides);
  return iterableCursor(object) ?? new PropertyCursor(object, beanProperties(object), hides);
}

/** Goes through a proxy by firing its traps, for an owner who has asked for that; a failing trap becomes the value. */
export function proxyCursor(proxy: object, hides: (key: string) => boolean): Cursor | string {
  try {
    if (Array.isArray(proxy)) return new IterableCursor(proxy.length, () => itemsOf(proxy));
    const names = Object.keys(proxy);
    const view = {};
    for (const name of names) {
      Object.defineProperty(view, name, { enumerable: true, get: () => Reflect.get(proxy, name) });
    }
    return new PropertyCursor(view, names, hides);
  } catch (error) {
    return threwMarker(error);
  }
}

function* itemsOf(proxy: readonly unknown[]): Generator<unknown> {
  for (let index = 0; index < proxy.length; index++) yield proxy[index];
}
