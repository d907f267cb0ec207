import { types } from 'node:util';
import { typeName } from '@jig/inspect/basics';
import type { BeanValue } from './bean-source.ts';

/** The name of a value's class, found without running a getter or a trap of the value. */
export function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (types.isProxy(value)) return 'Proxy';
  if (typeof value === 'function') return typeName(value);
  if (typeof value !== 'object') return typeof value;
  for (let at: object | null = value; at !== null; at = Object.getPrototypeOf(at)) {
    if (types.isProxy(at)) return 'Proxy';
    const type: unknown = Object.getOwnPropertyDescriptor(at, 'constructor')?.value;
    const name = typeof type === 'function' ? ownName(type) : undefined;
    if (name !== undefined) return name;
  }
  return 'Object';
}

/** The text in an object's own property `name`; a class may have a static getter of that name, which is not run. */
export function ownName(named: object): string | undefined {
  if (types.isProxy(named)) return undefined;
  const name: unknown = Object.getOwnPropertyDescriptor(named, 'name')?.value;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** The values of promises that were awaited: containers keep the promise, which does not show its value. */
const fulfilled = new WeakMap<Promise<unknown>, BeanValue>();

/** What `peek` returns for an existing value; for a promise, the value it was fulfilled with, if known. */
export const peekValue = (value: unknown): BeanValue | undefined =>
  types.isPromise(value) ? fulfilled.get(value) : { value };

/** The description of an existing value. */
export function describeValue(value: unknown): { readonly type: string; readonly instantiated: true | 'unknown' } {
  const known = peekValue(value);
  return { type: typeOfValue(known === undefined ? value : known.value), instantiated: known ? true : 'unknown' };
}

/** What `get` returns for a value: only a real promise is awaited, since a bean may have a method `then` of its own. */
export async function settleValue(value: unknown): Promise<BeanValue> {
  if (!types.isPromise(value)) return { value };
  const settled = { value: await value };
  fulfilled.set(value, settled);
  return settled;
}

/** The name of a token: a class by its name, a symbol by its description, any other object by its own `name` or its class. */
export function nameOfToken(token: unknown): string {
  if (typeof token === 'string') return token;
  if (typeof token === 'function') return ownName(token) ?? '(anonymous)';
  if (typeof token === 'symbol') return token.description || '(symbol)';
  if (typeof token !== 'object' || token === null) return String(token);
  return ownName(token) ?? typeOfValue(token);
}

/** The name itself, or with the first number that makes it different from those taken. */
export function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name}#${number}`)) return `${name}#${number}`;
}

/** What decorators leave on a class: `design:paramtypes` by TypeScript, others by containers. */
export function metadataOf<Metadata>(key: string, type: unknown): Metadata | undefined {
  const { getMetadata } = Reflect as { getMetadata?: (key: string, target: unknown) => Metadata | undefined };
  return getMetadata?.(key, type);
}

/** The token that a function returns, such as a class that may not be defined yet. */
export function lazyToken(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return '(not defined yet)';
  }
}
