import { types } from 'node:util';
import { dataProperty, findProperty, maxClasses, ownProperty, visiblePrototype } from '../walk/reflection.ts';

/** The classes of an object, found once for the many views that ask for them. */
class Classes {
  readonly object: object;
  readonly prototypes: readonly object[];
  /** Whether these are all, so that the language finds a property as we do. */
  readonly isAll: boolean;
  #names: readonly string[] | undefined;

  constructor(object: object) {
    const prototypes: object[] = [];
    let last = object;
    for (let next = visiblePrototype(object); next !== null && prototypes.length < maxClasses; ) {
      prototypes.push(next);
      last = next;
      next = visiblePrototype(next);
    }
    this.object = object;
    this.prototypes = prototypes;
    this.isAll = Object.getPrototypeOf(last) === null;
  }

  get names(): readonly string[] {
    this.#names ??= this.prototypes.map((prototype) =>
      prototype === Object.prototype ? 'Object' : nameOf(ownProperty(prototype, 'constructor')?.value),
    );
    return this.#names;
  }
}

let current: Classes | undefined;

/** Does work that asks for the shape of an object, which does not change meanwhile. */
export function whileMatching<Result>(object: object, work: () => Result): Result {
  const outer = current;
  current = new Classes(object);
  try {
    return work();
  } finally {
    current = outer;
  }
}

const classesOf = (object: object) => (current?.object === object ? current : new Classes(object));

/** Most objects have nothing that a view asks for, and `in` tells that soonest. */
const mayHave = (value: object, name: string) => current?.object !== value || !current.isAll || name in value;

/** Whether an object has all of these properties, itself or by its classes; none of them is read. */
export function has(value: object, ...names: readonly string[]): boolean {
  for (const name of names) if (!mayHave(value, name) || findProperty(value, name) === undefined) return false;
  return true;
}

/** Whether an object has all of these methods. */
export function can(value: object, ...names: readonly string[]): boolean {
  for (const name of names) if (!mayHave(value, name) || typeof dataProperty(value, name) !== 'function') return false;
  return true;
}

/** Whether it is an object, and no function, of a class of this name or of one that extends such a class. */
export function isNamed(value: object, ...names: readonly string[]): boolean {
  if (typeof value === 'function') return false;
  const classes = classesOf(value).names;
  for (const name of names) if (classes.includes(name)) return true;
  return false;
}

/** Whether it inherits from the prototype of a built-in class. */
export function isA(value: object, maker: { readonly prototype: unknown } | undefined): boolean {
  return maker !== undefined && classesOf(value).prototypes.includes(maker.prototype as object);
}

/** What an object holds under a symbol that is known by its description only. */
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

/** An address as people write it. */
export function endpoint(host: unknown, port: unknown): string | undefined {
  if (typeof host !== 'string' || host === '') return undefined;
  if (typeof port !== 'number' && typeof port !== 'string') return host;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export const count = (value: { readonly length: number } | undefined): number | undefined => value?.length;
