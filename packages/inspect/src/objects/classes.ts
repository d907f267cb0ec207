import { opaquePrototypes } from './built-in.ts';
import { usesPrivateFields } from './private-fields.ts';
import {
  className,
  findProperty,
  getterOf,
  isPlainObject,
  isRootPrototype,
  ownNames,
  ownProperty,
  visiblePrototype,
} from './reflection.ts';

/** Facts about all objects of a prototype. */
export class ClassFacts {
  readonly name: string;
  /** Whether its objects are plain. */
  readonly isPlain: boolean;
  /** Whether it defines `toJSON`. */
  readonly hasToJson: boolean;
  /** Whether its objects are shown with their properties, unless an own property changes that. */
  readonly isOrdinary: boolean;
  /** Whether its arrays, maps and sets are shown with their entries, unless an own `toJSON` changes that. */
  readonly isCollection: boolean;
  readonly #prototypes: object[] = [];
  #hasPrivateFields: boolean | undefined;
  #getters: ReadonlyMap<string, PropertyDescriptor> | undefined;
  #getterNames: readonly string[] | undefined;

  /** @param object any object of the class */
  constructor(object: object) {
    let hasToJson = false;
    let isOrdinary = true;
    let prototype = visiblePrototype(object);
    for (; prototype !== null; prototype = visiblePrototype(prototype)) {
      hasToJson ||= Object.hasOwn(prototype, 'toJSON');
      isOrdinary &&= !Object.hasOwn(prototype, Symbol.iterator);
      if (isRootPrototype(prototype)) break;
      isOrdinary &&= !isBuiltIn(prototype);
      this.#prototypes.push(prototype);
    }
    this.name = className(object);
    this.isPlain = isPlainObject(object);
    this.hasToJson = hasToJson;
    this.isOrdinary = isOrdinary && !hasToJson && prototype === Object.prototype;
    this.isCollection = !hasToJson && collections.has(Object.getPrototypeOf(object));
  }

  /** Whether its objects may have private fields to show. Of one with `toJSON`, only its result is shown. */
  get hasPrivateFields(): boolean {
    this.#hasPrivateFields ??= !this.hasToJson && this.#prototypes.some(usesPrivateFields);
    return this.#hasPrivateFields;
  }

  /** Its getters, those of base classes first, each as the nearest class defines it. */
  get getters(): ReadonlyMap<string, PropertyDescriptor> {
    if (this.#prototypes.length === 0) return noGetters;
    this.#getters ??= new Map(this.#prototypes.toReversed().flatMap(ownGetters));
    return this.#getters;
  }

  get getterNames(): readonly string[] {
    this.#getterNames ??= [...this.getters.keys()];
    return this.#getterNames;
  }
}

const collections: ReadonlySet<unknown> = new Set([Array.prototype, Map.prototype, Set.prototype]);
const noGetters: ReadonlyMap<string, PropertyDescriptor> = new Map();

/** `constructor` is left out; iterators have it as a getter (ECMAScript, section 27.1.4.1). */
const ownGetters = (prototype: object): (readonly [string, PropertyDescriptor])[] =>
  Object.getOwnPropertyNames(prototype)
    .map((name) => [name, ownProperty(prototype, name) as PropertyDescriptor] as const)
    .filter(([name, property]) => name !== 'constructor' && getterOf(property) !== undefined);

/** Objects of these keep their data in internal slots. */
const builtInClasses: ReadonlySet<unknown> = new Set(
  Object.getOwnPropertyNames(globalThis)
    .filter((name) => name !== 'Object')
    .map((name) => Object.getOwnPropertyDescriptor(globalThis, name)?.value as unknown)
    .filter((value) => typeof value === 'function')
    .map((value) => (value as { prototype?: object }).prototype),
);

const isBuiltIn = (prototype: object): boolean => builtInClasses.has(prototype) || opaquePrototypes().has(prototype);

/** Whether an object is shown with its properties, which its class and its first property decide. */
export function isOrdinary(object: object, facts: ClassFacts): boolean {
  if (!facts.isOrdinary || Object.hasOwn(object, 'toJSON') || Object.hasOwn(object, Symbol.iterator)) return false;
  for (const name in object) {
    const property = ownProperty(object, name);
    return property !== undefined && typeof property.value !== 'function';
  }
  return false;
}

/** The names that an object shows: own enumerable properties, then getters of its classes, for functions none. */
export function beanProperties(object: object, facts = new ClassFacts(object)): readonly string[] {
  return typeof object === 'function' ? ownNames(object) : withOthers(ownNames(object), facts.getterNames);
}

/** Appends names that are missing. */
export function withOthers(names: readonly string[], others: readonly string[]): readonly string[] {
  if (others.length === 0) return names;
  return names.concat(
    others.some((name) => names.includes(name)) ? others.filter((name) => !names.includes(name)) : others,
  );
}

const firstErrorProperties = ['name', 'message', 'code', 'cause', 'errors'];

/** The names that an error shows: name and message first, then the others; the stack only on request. */
export function errorProperties(error: object, withStack: boolean, facts = new ClassFacts(error)): string[] {
  const present = firstErrorProperties.filter((name, index) => index < 2 || findProperty(error, name) !== undefined);
  const others = beanProperties(error, facts).filter((name) => name !== 'stack');
  return [...new Set([...present, ...others, ...(withStack ? ['stack'] : [])])];
}
