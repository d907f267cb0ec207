import type { Cursor } from './cursor.ts';
import { IterableCursor } from './list-cursors.ts';
import { threwMarker } from './markers.ts';
import { PropertyCursor } from './property-cursor.ts';

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
