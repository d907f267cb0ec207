import { types } from 'node:util';
import { threwMarker } from './markers.ts';
import { findProperty } from './property.ts';

export type ToJson = (this: object, key: string) => unknown;

export function findToJson(object: object): ToJson | undefined {
  const toJson: unknown = findProperty(object, 'toJSON')?.value;
  return typeof toJson === 'function' && !types.isProxy(toJson) ? (toJson as ToJson) : undefined;
}

/** What the object says it is, or how it failed to say. */
export function callToJson(toJson: ToJson, object: object, key: string): unknown {
  try {
    return Reflect.apply(toJson, object, [key]);
  } catch (error) {
    return threwMarker(error);
  }
}
