import { isEnumerable } from './intrinsics.ts';
import { findProperty, getterOf, isRootPrototype, ownProperty, visiblePrototype } from './property.ts';

/** The getters of an object's classes, the base class first, as its fields come first too. */
export function getterNames(object: object): string[] {
  const layers: string[][] = [];
  for (let holder = visiblePrototype(object); holder !== null; holder = visiblePrototype(holder)) {
    if (isRootPrototype(holder)) break;
    layers.unshift(ownGetters(holder));
  }
  return [...new Set(layers.flat())];
}

/** `constructor` is no property of a bean, though iterators have it as a getter (ECMAScript, section 27.1.4.1). */
function ownGetters(prototype: object): string[] {
  const isGetter = (name: string) => name !== 'constructor' && getterOf(ownProperty(prototype, name)) !== undefined;
  return Object.getOwnPropertyNames(prototype).filter(isGetter);
}

/** What an object shows: its own enumerable properties, then the getters of its classes, also where one has left its result on the object. */
export function beanProperties(object: object): string[] {
  const own = ownNames(object);
  const getters = getterNames(object).filter((name) => !isEnumerable(object, name));
  return getters.length === 0 ? own : [...own, ...getters];
}

/** A module that is still being loaded cannot list its names without throwing, though all of them are to be seen. */
function ownNames(object: object): string[] {
  try {
    return Object.keys(object);
  } catch {
    return Object.getOwnPropertyNames(object);
  }
}

const firstErrorProperties = ['name', 'message', 'code', 'cause', 'errors'];

/** What an error shows: who it is first, then what else it carries; its stack only when asked for. */
export function errorProperties(error: object, withStack: boolean): string[] {
  const present = firstErrorProperties.filter((name, index) => index < 2 || findProperty(error, name) !== undefined);
  const others = beanProperties(error).filter((name) => name !== 'stack');
  return [...new Set([...present, ...others, ...(withStack ? ['stack'] : [])])];
}
