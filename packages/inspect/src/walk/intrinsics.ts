/**
 * Methods and getters of the built-ins themselves, taken before anybody could replace them, so that neither a subclass
 * nor a fake can answer in their place. Each throws when it is given what is not of its kind.
 */

type Method<Result> = (target: object, ...parameters: readonly unknown[]) => Result;

function method<Result>(prototype: object, name: PropertyKey): Method<Result> {
  return bound(Object.getOwnPropertyDescriptor(prototype, name), 'value');
}

function getter<Result>(prototype: object, name: PropertyKey): Method<Result> {
  return bound(Object.getOwnPropertyDescriptor(prototype, name), 'get');
}

function bound<Result>(descriptor: PropertyDescriptor | undefined, part: 'value' | 'get'): Method<Result> {
  const intrinsic = Reflect.get(descriptor ?? {}, part) as (...parameters: readonly unknown[]) => Result;
  return (target, ...parameters) => Reflect.apply(intrinsic, target, parameters);
}

export const mapEntries = method<Iterator<[unknown, unknown]>>(Map.prototype, 'entries');
export const mapKeys = method<Iterator<unknown>>(Map.prototype, 'keys');
export const mapGet = method<unknown>(Map.prototype, 'get');
export const mapHas = method<boolean>(Map.prototype, 'has');
export const mapSize = getter<number>(Map.prototype, 'size');
export const setValues = method<Iterator<unknown>>(Set.prototype, 'values');
export const setSize = getter<number>(Set.prototype, 'size');
export const dateTime = method<number>(Date.prototype, 'getTime');
export const urlText = getter<string>(URL.prototype, 'href');
export const regExpSource = getter<string>(RegExp.prototype, 'source');
const flagGetters = Object.entries({
  hasIndices: 'd',
  global: 'g',
  ignoreCase: 'i',
  multiline: 'm',
  dotAll: 's',
  unicode: 'u',
  unicodeSets: 'v',
  sticky: 'y',
}).map(([name, flag]) => ({ flag, isSet: getter<boolean>(RegExp.prototype, name) }));
/** In the order of the language's own `flags`, which would read properties that may have been replaced. */
export const regExpFlags = (regExp: object): string =>
  flagGetters.map(({ flag, isSet }) => (isSet(regExp) ? flag : '')).join('');
export const stringOf = method<string>(String.prototype, 'valueOf');
export const numberOf = method<number>(Number.prototype, 'valueOf');
export const booleanOf = method<boolean>(Boolean.prototype, 'valueOf');
export const bigIntOf = method<bigint>(BigInt.prototype, 'valueOf');
export const symbolOf = method<symbol>(Symbol.prototype, 'valueOf');
export const functionText = method<string>(Function.prototype, 'toString');
export const promiseThen = method<unknown>(Promise.prototype, 'then');
export const isEnumerable = method<boolean>(Object.prototype, 'propertyIsEnumerable');
/** The getter behind an own property, for a fraction of what its descriptor costs; for others, proxies may be asked. */
export const lookupGetter = Object.getOwnPropertyDescriptor(Object.prototype, '__lookupGetter__')?.value as (
  this: object,
  key: PropertyKey,
) => (() => unknown) | undefined;
/** The engine's own ways to go through something, whose results are plain objects. */
export const nativeNextMethods: ReadonlySet<unknown> = new Set(
  [[].values(), new Map().values(), new Set().values(), ''[Symbol.iterator](), (function* () {})()].map(
    (iterator) => iterator.next,
  ),
);
const call = Object.getOwnPropertyDescriptor(Function.prototype, 'call')?.value as () => unknown;
/** Calls a getter, whatever its own `call` is; quicker than `Reflect.apply`, which takes a list. */
export const callGetter = call.bind(call) as (getter: () => unknown, object: object) => unknown;
/** `[object Object]` and the like. */
export const builtInTag = method<string>(Object.prototype, 'toString');

/** Temporal is looked up when needed: this Node may not have it, and a polyfill may come later. */
export function temporalPrototype(name: string): object | undefined {
  const { Temporal } = globalThis as { Temporal?: Record<string, { prototype: object }> };
  return Temporal?.[name]?.prototype;
}

export const epochMilliseconds = (instant: object): number =>
  getter<number>(temporalPrototype('Instant') ?? {}, 'epochMilliseconds')(instant);

export const temporalText = (name: string, value: object): string =>
  method<string>(temporalPrototype(name) ?? {}, 'toString')(value);

interface View {
  readonly buffer: Method<ArrayBuffer>;
  readonly byteOffset: Method<number>;
  readonly byteLength: Method<number>;
}

function view(prototype: object): View {
  return {
    buffer: getter(prototype, 'buffer'),
    byteOffset: getter(prototype, 'byteOffset'),
    byteLength: getter(prototype, 'byteLength'),
  };
}

export const typedArrayView = view(Object.getPrototypeOf(Uint8Array.prototype) as object);
export const dataView = view(DataView.prototype);
