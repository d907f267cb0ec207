import { types } from 'node:util';
import type { BeanScope, BeanSource, BeanValue } from './bean-source.ts';
import { nameOfToken } from './bean-values.ts';
import { containerSource, type Registration } from './container-source.ts';

type Key = string | symbol;

interface AwilixResolver {
  readonly resolve: (container: never) => unknown;
  readonly lifetime?: string;
}

/** What is used of a container of Awilix 13. */
export interface AwilixContainerLike {
  readonly registrations: Readonly<Record<Key, AwilixResolver>>;
  readonly cache: ReadonlyMap<Key, { readonly value: unknown }>;
  resolve(name: Key): unknown;
  createScope(): AwilixContainerLike;
}

export interface AwilixSourceOptions {
  /**
   * The scope of a request, which holds its scoped beans. By default `diScope` or `container` of the request, where
   * @fastify/awilix and awilix-express put it; without one, scoped beans are created in a scope of their own.
   */
  readonly scope?: (request: unknown) => AwilixContainerLike | undefined;
}

/** The registrations of an Awilix container and of the containers it is a scope of. */
export function fromAwilix(container: AwilixContainerLike, options: AwilixSourceOptions = {}): BeanSource {
  if (types.isProxy(container) || !types.isMap(container?.cache) || typeof container.createScope !== 'function')
    throw new TypeError('fromAwilix needs a container of Awilix 13, as createContainer() returns it.');
  const { scope: scopeFor = scopeOfRequest } = options;
  return containerSource<unknown>(() => {
    // Read once: the getter builds a new object at each access.
    const all = container.registrations;
    return Reflect.ownKeys(all).map((key): Registration => {
      const resolver = all[key] as AwilixResolver;
      const content = contentOf(resolver);
      const scope = content.value === undefined ? scopes[resolver.lifetime ?? ''] : 'singleton';
      return {
        name: nameOfToken(key),
        owner: 'container',
        token: key,
        alias: content.alias,
        details: () => ({
          scope: scope ?? 'unknown',
          dependencies: content.value === undefined ? 'unknown' : [],
        }),
        instance: () => content.value ?? cachedIn(container, key, resolver.lifetime),
        create(request, scopeOfTarget) {
          if (reservedNames.has(key)) throw new Error(`Awilix gives no bean of the name ${String(key)}.`);
          const target = scopeOfTarget === 'singleton' ? container : (scopeFor(request) ?? container.createScope());
          return { value: target.resolve(key) };
        },
      };
    });
  });
}

/** Names that a container resolves to something of its own. */
const reservedNames = new Set<Key>(['constructor', 'toJSON']);

function scopeOfRequest(request: unknown): AwilixContainerLike | undefined {
  if (typeof request !== 'object' || request === null) return undefined;
  const { diScope, container } = request as Partial<Record<string, AwilixContainerLike>>;
  return [diScope, container].find((each) => types.isMap(each?.cache) && typeof each?.resolve === 'function');
}

const returnsValue = /^\(\) ?=> ?[\w$]+$/;
const resolvesAlias = /^resolve\(([\w$]+)\) ?\{\s*return \1\.resolve\([\w$]+\);?\s*\}$/;

/**
 * Resolvers of `asValue` and `aliasTo` differ only in their source code. It also shows that calling them creates
 * nothing, unlike a resolver of the application's own.
 */
function contentOf({ lifetime, resolve }: AwilixResolver): { readonly value?: BeanValue; readonly alias?: Key } {
  if (lifetime !== undefined) return {};
  const code = Function.prototype.toString.call(resolve);
  if (returnsValue.test(code)) return { value: { value: resolve(undefined as never) } };
  if (!resolvesAlias.test(code)) return {};
  // Resolved with a container that returns each name it is asked for.
  return { alias: resolve({ resolve: (target: Key) => target } as never) as Key };
}

const scopes: Readonly<Record<string, BeanScope>> = {
  SINGLETON: 'singleton',
  SCOPED: 'request',
  TRANSIENT: 'transient',
};

/** Singletons are kept in the root, scoped beans in their scope. */
function cachedIn(container: AwilixContainerLike, key: Key, lifetime: string | undefined): BeanValue | undefined {
  if (lifetime === 'SINGLETON') return rootOf(container).cache.get(key);
  return lifetime === 'SCOPED' ? container.cache.get(key) : undefined;
}

/** Awilix keeps the parents of a scope under a symbol that it does not export. */
function rootOf(container: AwilixContainerLike): AwilixContainerLike {
  const symbol = Object.getOwnPropertySymbols(container).find(({ description }) => description === 'familyTree');
  const family: unknown = symbol && (container as unknown as Readonly<Record<symbol, unknown>>)[symbol];
  return Array.isArray(family) ? (family.at(-1) as AwilixContainerLike) : container;
}
