import { types } from 'node:util';
import { type ContentOf, ownNames } from '../walk/reflection.ts';
import { unwrapped } from './proxies.ts';
import { whileMatching } from './shape.ts';
import type { View } from './view.ts';

type ViewWithContent = View & Required<Pick<View, 'content'>>;

/** What was made of views before, since most documents have the same. */
const known = new WeakMap<readonly View[], ContentOf>();

/** What views say of what objects hold. */
export function contentBy(views: readonly View[]): ContentOf {
  let contentOf = known.get(views);
  if (contentOf === undefined) {
    const telling = views.filter((view): view is ViewWithContent => view.content !== undefined);
    contentOf = views.length === 0 ? () => undefined : finder(telling);
    known.set(views, contentOf);
  }
  return contentOf;
}

/** Objects without properties are known by their class, so that many of one class cost little. */
function finder(views: readonly ViewWithContent[]): ContentOf {
  const unknownClasses = new WeakSet();
  return (object) => {
    if (types.isProxy(object)) {
      const target = unwrapped(object);
      return target === undefined ? undefined : () => target;
    }
    const prototype: object | null = Object.getPrototypeOf(object);
    if (prototype !== null && unknownClasses.has(prototype) && ownNames(object).length === 0) return undefined;
    const view = firstMatch(views, object);
    if (view !== undefined) return () => view.content(object);
    if (prototype !== null && ownNames(object).length === 0) unknownClasses.add(prototype);
    return undefined;
  };
}

/** The first view that matches an object, which is no proxy. */
export function firstMatch<Any extends View>(views: readonly Any[], object: object): Any | undefined {
  return whileMatching(object, () => views.find((view) => matches(view, object)));
}

/** A view that throws does not match. */
function matches(view: View, object: object): boolean {
  try {
    return view.matches(object);
  } catch {
    return false;
  }
}
