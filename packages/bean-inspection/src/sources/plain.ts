import { types } from 'node:util';
import type { BeanDescription, BeanSource } from './bean-source.ts';
import { describeValue, freeName, nameOfToken, peekValue, settleValue } from './bean-values.ts';

/** Components by name. */
export type PlainBeans = Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown>;

/** What can be inspected: components by name, a function that returns them for each request, or a source. */
export type Inspectable<Context = unknown> = BeanSource<Context> | PlainBeans | (() => PlainBeans);

/** A source for anything inspectable; a source is returned as it is. */
export function toBeanSource<Context = unknown>(source: Inspectable<Context>): BeanSource<Context> {
  if (isBeanSource(source)) return source;
  if (typeof source === 'function') return plainSource(() => checkBeans(source()));
  const beans = checkBeans(source);
  return plainSource(() => beans);
}

const methods = ['describe', 'has', 'peek', 'get'];

/** Not asked of a proxy, whose traps would run; the methods may be inherited. */
function isBeanSource<Context>(source: Inspectable<Context>): source is BeanSource<Context> {
  if (typeof source !== 'object' || source === null || types.isProxy(source)) return false;
  return methods.every((name) => typeof (source as Readonly<Record<string, unknown>>)[name] === 'function');
}

function checkBeans(beans: unknown): PlainBeans {
  if (types.isProxy(beans))
    throw new TypeError(
      'The beans of a proxy cannot be listed without running its code. Give an object or a Map of components, or the source of a container, such as fromAwilix(container).',
    );
  if (typeof beans === 'object' && beans !== null && !Array.isArray(beans) && !types.isPromise(beans))
    return beans as PlainBeans;
  throw new TypeError(
    'Beans must be an object or a Map of components by name, a function that returns one, or a source, such as fromAwilix(container).',
  );
}

/** A property of an object is a component; one with a getter is created by running it. */
function plainSource(beans: () => PlainBeans): BeanSource {
  return {
    describe() {
      const components = beans();
      return [...keysByName(components)].map(([name, key]) =>
        describeComponent(name, component(components, key) ?? {}),
      );
    },
    has: (name) => find(beans(), name) !== undefined,
    peek(name) {
      const found = find(beans(), name);
      return found !== undefined && 'value' in found ? peekValue(found.value) : undefined;
    },
    async get(name) {
      const components = beans();
      const found = find(components, name);
      return settleValue(found?.get === undefined ? found?.value : found.get.call(components));
    },
  };
}

function describeComponent(name: string, found: PropertyDescriptor): BeanDescription {
  const state =
    found.get === undefined
      ? { ...describeValue(found.value), scope: 'singleton' as const }
      : { type: 'unknown', instantiated: 'unknown' as const, scope: 'unknown' as const };
  return { name, owner: 'application', dependencies: 'unknown', ...state };
}

function find(components: PlainBeans, name: string): PropertyDescriptor | undefined {
  const found = component(components, name);
  if (found !== undefined) return found;
  const key = keysByName(components).get(name);
  return key === undefined ? undefined : component(components, key);
}

const mapMethods = Map.prototype;

/** A subclass of Map may have side effects in `get`, as caches have. */
function component(components: PlainBeans, key: unknown): PropertyDescriptor | undefined {
  if (!types.isMap(components)) return Object.getOwnPropertyDescriptor(components, key as PropertyKey);
  return mapMethods.has.call(components, key) ? { value: mapMethods.get.call(components, key) } : undefined;
}

/** Includes non-enumerable properties, such as getters added to a Fastify instance. String keys are their own names. */
function keysByName(components: PlainBeans): Map<string, unknown> {
  const keys = types.isMap(components) ? [...mapMethods.keys.call(components)] : Reflect.ownKeys(components);
  const named = new Map<string, unknown>();
  for (const key of keys) if (typeof key === 'string') named.set(key, key);
  for (const key of keys) if (typeof key !== 'string') named.set(freeName(nameOfToken(key), named), key);
  return named;
}
