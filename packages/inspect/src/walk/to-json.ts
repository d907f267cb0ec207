import { types } from 'node:util';
import { quietPromise } from './bean-properties.ts';
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
    const value = Reflect.apply(toJson, object, [key]);
    quietPromise(value);
    return value;
  } catch (error) {
    return threwMarker(error);
  }
}
