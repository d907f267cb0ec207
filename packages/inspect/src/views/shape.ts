import { types } from 'node:util';
import {
  dataProperty,
  findProperty,
  functionName,
  inheritsFrom,
  ownProperty,
  visiblePrototype,
} from '../objects/reflection.ts';

/** Whether an object has or inherits all of these properties. Reads none of them. */
export const has = (value: object, ...names: readonly string[]): boolean =>
  names.every((name) => findProperty(value, name) !== undefined);

/** Whether an object has all of these methods. */
export const can = (value: object, ...names: readonly string[]): boolean =>
  names.every((name) => typeof dataProperty(value, name) === 'function');

/** Whether its class has a `Symbol.toStringTag`, as those of the web and of `Intl`: few other classes have one, so this is asked first. */
export const isTagged = (value: object): boolean =>
  inheritsFrom(value, (prototype) => Object.hasOwn(prototype, Symbol.toStringTag));

/** Whether it is an object of a class with this name, or of a subclass. */
export function isNamed(value: object, ...names: readonly string[]): boolean {
  if (typeof value === 'function') return false;
  return inheritsFrom(value, (prototype) => names.includes(className(prototype)));
}

function className(prototype: object): string {
  const maker: unknown = ownProperty(prototype, 'constructor')?.value;
  return typeof maker === 'function' ? functionName(maker) : '';
}

/** Whether it inherits from the prototype of a built-in class. */
export function isA(value: object, maker: { readonly prototype: unknown } | undefined): boolean {
  return maker !== undefined && inheritsFrom(value, (prototype) => prototype === maker.prototype);
}

/** The value under a symbol with this description. */
export function bySymbol(value: object, description: string): unknown {
  for (let holder: object | null = value; holder !== null; holder = visiblePrototype(holder)) {
    const symbol = Object.getOwnPropertySymbols(holder).find((each) => each.description === description);
    if (symbol !== undefined) return Object.getOwnPropertyDescriptor(holder, symbol)?.value;
  }
  return undefined;
}

/** The names of functions, in their order. */
export function functionNames(functions: readonly unknown[]): string {
  return functions.map((each) => nameOf(each)).join(', ');
}

export function nameOf(value: unknown): string {
  if (typeof value !== 'function' || types.isProxy(value)) return '';
  const name = dataProperty(value, 'name');
  return typeof name === 'string' && name.replace('bound ', '') !== '' ? name : '(anonymous)';
}

/** `host:port`, with brackets for IPv6. */
export function endpoint(host: unknown, port: unknown): string | undefined {
  if (typeof host !== 'string' || host === '') return undefined;
  if (typeof port !== 'number' && typeof port !== 'string') return host;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export const count = (value: { readonly length: number } | undefined): number | undefined => value?.length;
