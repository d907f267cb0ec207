import { types } from 'node:util';
import { handlingCreatedPromises } from '../objects/bean-code.ts';
import { threwMarker } from '../objects/markers.ts';
import { type ContentOf, isPlainObject } from '../objects/reflection.ts';
import { unwrapped } from './proxies.ts';
import { Traits } from './shape.ts';
import { observableObject } from './stores.ts';
import type { View } from './view.ts';
import { TableView } from './view-table.ts';

/** Returns a function that reads the content of objects as these views define it, and the targets of proxies. */
export function contentBy(views: readonly View[]): ContentOf | undefined {
  if (views.length === 0) return undefined;
  // Created on first use: most small documents have no instance of a class.
  let withContent: readonly View[] | undefined;
  let byClass: Map<object, View | undefined> | undefined;

  const viewOfClass = (object: object): View | undefined => {
    const prototype = Object.getPrototypeOf(object) as object;
    byClass ??= new Map();
    let view = byClass.get(prototype);
    if (view === undefined && !byClass.has(prototype)) {
      withContent ??= views.filter((each) => each.content !== undefined && each !== observableObject);
      view = firstMatch(withContent, object);
      if (typeof object === 'function' || isPlainObject(object)) return view;
      byClass.set(prototype, view);
    }
    return view && firstMatch([view], object);
  };

  return (object, showsNothing) => {
    if (types.isProxy(object)) {
      const target = unwrapped(object);
      return target === undefined ? undefined : () => target;
    }
    const view = showsNothing ? firstMatch(views, object) : viewOfClass(object);
    if (view?.content !== undefined) return () => handlingCreatedPromises(() => view.content?.(object));
    return view?.readings === undefined ? undefined : () => handlingCreatedPromises(() => readingsOf(object, view));
  };
}

/** The values of the readings of a view, without remote ones. */
function readingsOf(object: object, { readings = {} }: View): object {
  const local = Object.entries(readings).filter(([, { ask }]) => ask !== true);
  const values = local.map(([name, reading]) => {
    try {
      return [name, reading.read(object)] as const;
    } catch (error) {
      return [name, threwMarker(error)] as const;
    }
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null));
}

/** The first view that matches an object that is not a proxy. */
export function firstMatch(views: readonly View[], object: object): View | undefined {
  const traits = new Traits(object);
  return views.find((view) => isMatch(view, object, traits));
}

/** A view that throws does not match. */
function isMatch(view: View, object: object, traits: Traits): boolean {
  try {
    return view instanceof TableView ? view.matches(object, traits) : view.matches(object);
  } catch {
    return false;
  }
}
