import type { ContentOf } from '../walk/reflection.ts';
import type { View } from './view.ts';

type ViewWithContent = View & Required<Pick<View, 'content'>>;

/** What was made of views before, since most documents have the same. */
const known = new WeakMap<readonly View[], ContentOf>();

/** What views say of what objects hold. */
export function contentBy(views: readonly View[]): ContentOf {
  let contentOf = known.get(views);
  if (contentOf === undefined) {
    contentOf = finder(views.filter((view): view is ViewWithContent => view.content !== undefined));
    known.set(views, contentOf);
  }
  return contentOf;
}

/** Objects without properties are known by their class, so that many of one class cost little. */
function finder(views: readonly ViewWithContent[]): ContentOf {
  const unknownClasses = new WeakSet();
  return (object) => {
    const prototype: object | null = Object.getPrototypeOf(object);
    if (prototype !== null && unknownClasses.has(prototype) && Object.keys(object).length === 0) return undefined;
    const view = views.find((each) => matches(each, object));
    if (view !== undefined) return () => view.content(object);
    if (prototype !== null && Object.keys(object).length === 0) unknownClasses.add(prototype);
    return undefined;
  };
}

/** A view that throws does not match. */
export function matches(view: View, object: object): boolean {
  try {
    return view.matches(object);
  } catch {
    return false;
  }
}
