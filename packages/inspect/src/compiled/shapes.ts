import { types } from 'node:util';
import { builtInScalar } from '../walk/built-in.ts';
import { builtInTag, isEnumerable, lookupGetter } from '../walk/intrinsics.ts';
import { MapEntry } from '../walk/map-cursors.ts';
import {
  findProperty,
  type Getter,
  getterNames,
  getterOf,
  hasProxiedGetter,
  ownProperty,
  visiblePrototype,
} from '../walk/reflection.ts';
import { BoundedMap } from './bounded-map.ts';
import { CompiledShape } from './compiled-shape.ts';
import type { Shape } from './writer-context.ts';

/** Objects with more keys than this are dictionaries rather than instances. */
const maxKeys = 64;
/** Bounds the constant bytes of one object, escaped in XML, twice, to what the output always has room for. */
const maxKeyCharacters = 1500;
/** A shape is compiled once it has been seen more often than this. */
const compileAfter = 2;
const maxShapes = 500;

interface Candidate {
  seen: number;
  shape: Shape | undefined;
}

/** What is known of the objects of one prototype. */
class PrototypeFacts {
  /** Whether its objects are plain properties and getters, as far as the prototype tells. */
  readonly isOrdinary: boolean;
  readonly getters: readonly string[];
  readonly candidates = new BoundedMap<Candidate>(maxShapes);
  /** The epoch in which these facts were last checked. */
  epoch = 0;
  readonly #chain: readonly Layer[];

  constructor(prototype: object) {
    this.#chain = chainFrom(prototype).map((holder) => new Layer(holder));
    this.isOrdinary = this.#chain.at(-1)?.holder === Object.prototype && isOrdinary(prototype);
    this.getters = this.isOrdinary ? getterNames(Object.create(prototype)) : [];
  }

  isStillTrue(prototype: object): boolean {
    let current: object | null = prototype;
    for (const layer of this.#chain) {
      if (layer.holder !== current || !layer.isUnchanged(this.isOrdinary)) return false;
      current = Object.getPrototypeOf(current);
    }
    return true;
  }
}

/** One prototype of a chain, as it was: its names, and which of them are getters. */
class Layer {
  readonly holder: object;
  readonly #keys: readonly PropertyKey[];
  readonly #getters: readonly (Getter | undefined)[];

  constructor(holder: object) {
    this.holder = holder;
    this.#keys = Reflect.ownKeys(holder);
    this.#getters = this.#keys.map((key) => getterOf(ownProperty(holder, key)));
  }

  /** Nothing of `Object.prototype` is shown, and a `toJSON` of it is noticed at each object. */
  isUnchanged(isOrdinary: boolean): boolean {
    const { holder } = this;
    if (isOrdinary && Object.keys(holder).length > 0) return false;
    if (holder === Object.prototype) return true;
    const keys = Reflect.ownKeys(holder);
    if (keys.length !== this.#keys.length) return false;
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as PropertyKey;
      if (key !== this.#keys[index]) return false;
      if (isOrdinary && lookupGetter.call(holder, key) !== this.#getters[index]) return false;
    }
    return true;
  }
}

function chainFrom(prototype: object): object[] {
  const chain = [prototype];
  for (let next = visiblePrototype(prototype); next !== null; next = visiblePrototype(next)) chain.push(next);
  return chain;
}

/** Built-in classes keep their data where only a look at the instance itself finds it. */
const builtInClasses: ReadonlySet<object> = new Set(
  Object.getOwnPropertyNames(globalThis)
    .filter((name) => /^[A-Z]/.test(name) && name !== 'Object')
    .map((name) => Object.getOwnPropertyDescriptor(globalThis, name)?.value as unknown)
    .filter((value) => typeof value === 'function')
    .map((value) => (value as { prototype?: object }).prototype)
    .filter((prototype) => prototype !== undefined),
);

function isOrdinary(prototype: object): boolean {
  for (const holder of chainFrom(prototype)) {
    if (builtInClasses.has(holder)) return false;
    // What is enumerable here would look like an own key of each object.
    if (Object.keys(holder).length > 0) return false;
    if (holder === Object.prototype) continue;
    if (Object.getOwnPropertyNames(holder).some((name) => hasProxiedGetter(holder, name))) return false;
  }
  if (findProperty(prototype, 'toJSON') !== undefined || findProperty(prototype, Symbol.iterator) !== undefined) {
    return false;
  }
  return builtInScalar(Object.create(prototype)) === undefined;
}

const factsByPrototype = new WeakMap<object, PrototypeFacts>();

function factsOf(prototype: object, epoch: number): PrototypeFacts {
  let facts = factsByPrototype.get(prototype);
  if (facts === undefined || (facts.epoch !== epoch && !facts.isStillTrue(prototype))) {
    facts = new PrototypeFacts(prototype);
    factsByPrototype.set(prototype, facts);
  }
  facts.epoch = epoch;
  return facts;
}

export interface Ordinary {
  readonly getters: readonly string[];
  readonly keys: readonly string[];
  /** Present once the shape has been seen often enough. */
  readonly shape: Shape | undefined;
}

/** What an ordinary object has to show; undefined when it must be looked at more closely. Never given a proxy. */
export function ordinaryProperties(object: object, epoch: number): Ordinary | undefined {
  const prototype: object | null = Object.getPrototypeOf(object);
  if (prototype === null || types.isProxy(prototype)) return undefined;
  const facts = factsOf(prototype, epoch);
  if (!facts.isOrdinary) return undefined;
  if (findProperty(object, 'toJSON') !== undefined || findProperty(object, Symbol.iterator) !== undefined) {
    return undefined;
  }
  const keys = Object.keys(object);
  const getters = facts.getters.filter((name) => !isEnumerable(object, name));
  if (keys.length + getters.length === 0 && mayBeBuiltIn(object)) return undefined;
  const canBeRead = keys.length <= maxKeys && !keys.some((key) => hasProxiedGetter(object, key));
  return { keys, getters, shape: canBeRead ? shapeOf(prototype, facts, keys, getters) : undefined };
}

/** An object that shows nothing may be a built-in whose prototype was changed, or an entry of the walk's own making. */
export function mayBeBuiltIn(object: object): boolean {
  // A tag may be a getter, which is no property of a bean.
  if (Symbol.toStringTag in object || builtInTag(object) !== '[object Object]') return true;
  return types.isMap(object) || types.isSet(object) || MapEntry.isOne(object);
}

/** Whether what was known of a shape's prototype still holds. */
export function isCurrent(shape: Shape, epoch: number): boolean {
  return factsOf(shape.prototype, epoch) === shape.facts;
}

function shapeOf(prototype: object, facts: PrototypeFacts, keys: string[], getters: string[]): Shape | undefined {
  if (keys.length + getters.length > maxKeys) return undefined;
  const signature = JSON.stringify([keys, getters]);
  if (signature.length > maxKeyCharacters) return undefined;
  const candidate = facts.candidates.get(signature);
  if (candidate === undefined) {
    facts.candidates.set(signature, { seen: 1, shape: undefined });
    return undefined;
  }
  candidate.seen++;
  if (candidate.shape === undefined && candidate.seen > compileAfter) {
    candidate.shape = new CompiledShape(prototype, facts, keys, getters);
  }
  return candidate.shape;
}
