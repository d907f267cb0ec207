import { types } from 'node:util';
import { ownProperty, visiblePrototype } from './property.ts';

/** The name of a function, unless it is anonymous or hides it. */
export function functionName(value: object): string {
  if (types.isProxy(value)) return '';
  const name: unknown = Object.getOwnPropertyDescriptor(value, 'name')?.value;
  return typeof name === 'string' ? name : '';
}

/** The class of an object, by its prototype's own `constructor`, which the object itself cannot fake. */
export function className(object: object): string {
  if (types.isProxy(object)) return 'Proxy';
  for (let holder = visiblePrototype(object); holder !== null; holder = visiblePrototype(holder)) {
    const maker: unknown = ownProperty(holder, 'constructor')?.value;
    if (typeof maker === 'function') return functionName(maker) || 'Object';
  }
  return 'Object';
}

/** The type of any value: the class of an object, the wrapper class of a primitive, `Null` for what is absent. */
export function typeName(value: unknown): string {
  switch (typeof value) {
    case 'object':
      return value === null ? 'Null' : className(value);
    case 'undefined':
      return 'Null';
    case 'function':
      return types.isProxy(value) ? 'Proxy' : 'Function';
    case 'bigint':
      return 'BigInt';
    case 'boolean':
      return 'Boolean';
    case 'number':
      return 'Number';
    case 'string':
      return 'String';
    case 'symbol':
      return 'Symbol';
  }
}
