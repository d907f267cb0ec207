import { types } from 'node:util';
import { dataProperty, functionName, inheritsFrom, ownProperty, visiblePrototype } from '../objects/reflection.ts';

/** What an object has and inherits, up to the first proxy. Runs no code of it. */
export class Traits {
  readonly object: object;
  readonly #inherited = new Set<string>();
  readonly #classNames: string[] = [];

  constructor(object: object) {
    this.object = object;
    for (let prototype = visiblePrototype(object); prototype !== null; prototype = visiblePrototype(prototype)) {
      if (prototype === Object.prototype) break;
      for (const name of Object.getOwnPropertyNames(prototype)) this.#inherited.add(name);
      const ctor: unknown = ownProperty(prototype, 'constructor')?.value;
      if (typeof ctor === 'function' && typeof object !== 'function') this.#classNames.push(functionName(ctor));
    }
  }

  /** Whether it has all of these properties. Reads none of them. */
  has(...names: readonly string[]): boolean {
    return names.every((name) => Object.hasOwn(this.object, name) || this.#inherited.has(name));
  }

  /** Whether it has all of these methods. */
  can(...names: readonly string[]): boolean {
    return this.has(...names) && names.every((name) => typeof dataProperty(this.object, name) === 'function');
  }

  /** Whether it is an object of a class with one of these names, or of a subclass. */
  isNamed(...names: readonly string[]): boolean {
    return names.some((name) => this.#classNames.includes(name));
  }
}

/** Whether its class has a `Symbol.toStringTag`, as classes of the web and of `Intl` have. A cheap check, which excludes most other objects. */
export const isTagged = (value: object): boolean =>
  inheritsFrom(value, (prototype) => Object.hasOwn(prototype, Symbol.toStringTag));

/** Whether it inherits from the prototype of a built-in class. */
export function isA(value: object, builtInClass: { readonly prototype: unknown } | undefined): boolean {
  return builtInClass !== undefined && inheritsFrom(value, (prototype) => prototype === builtInClass.prototype);
}

/** The value under a symbol with this description. */
export function bySymbol(value: object, description: string): unknown {
  for (let holder: object | null = value; holder !== null; holder = visiblePrototype(holder)) {
    const symbol = Object.getOwnPropertySymbols(holder).find((each) => each.description === description);
    if (symbol !== undefined) return Object.getOwnPropertyDescriptor(holder, symbol)?.value;
  }
  return undefined;
}

export function functionNames(functions: readonly unknown[]): string {
  return functions.map((each) => functionLabel(each)).join(', ');
}

export function functionLabel(value: unknown): string {
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
