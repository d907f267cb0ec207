import { types } from 'node:util';
import { beanProperties, errorProperties } from './bean-properties.ts';
import type { Cursor, Hides } from './cursor.ts';
import { ArrayCursor, iterableCursor, SetCursor } from './list-cursors.ts';
import { MapEntry } from './map-cursors.ts';
import { MapScan } from './map-scan.ts';
import { PropertyCursor } from './property-cursor.ts';

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
