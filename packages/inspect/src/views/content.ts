import { types } from 'node:util';
import type { ContentOf } from '../walk/reflection.ts';
import { unwrapped } from './proxies.ts';
import type { View } from './view.ts';

/** What views say of what objects hold, and what proxies stand for. */
export function contentBy(views: readonly View[]): ContentOf | undefined {
  if (views.length === 0) return undefined;
  let telling: readonly View[] | undefined;
  return (object) => {
    if (types.isProxy(object)) {
      const target = unwrapped(object);
      return target === undefined ? undefined : () => target;
    }
    telling ??= views.filter((view) => view.content !== undefined);
    const view = firstMatch(telling, object);
    return view === undefined ? undefined : () => view.content?.(object);
  };
}

/** The first view that matches an object, which is no proxy. A view that throws does not match. */
export function firstMatch(views: readonly View[], object: object): View | undefined {
  return views.find((view) => {
    try {
      return view.matches(object);
    } catch {
      return false;
    }
  });
}
