import { types } from 'node:util';
import { nameOfToken } from './bean-names.ts';
import type { BeanScope, BeanSource, BeanValue } from './bean-source.ts';
import { describeValue, peekValue, settleValue } from './bean-values.ts';
import { containerSource, type RegistrationDetails } from './container-source.ts';

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
   * The scope of a request, in which its scoped beans are. By default `diScope` or `container` of the request, where
   * @fastify/awilix and awilix-express put it; without one, scoped beans are created in a scope of their own.
   */
  readonly scope?: (request: unknown) => AwilixContainerLike | undefined;
}

/** The registrations of an Awilix container and of the containers it is a scope of. */
export function fromAwilix(container: AwilixContainerLike, options: AwilixSourceOptions = {}): BeanSource {
  if (types.isProxy(container) || !types.isMap(container?.cache) || typeof container.createScope !== 'function')
    throw new TypeError('fromAwilix needs a container of Awilix 13, as createContainer() returns it.');
  const { scope = scopeOfRequest } = options;
  return containerSource<Registration, unknown>({
    registrations: () => registrationsOf(container),
    nameOf: ({ key }) => nameOfToken(key),
    ownerOf: () => 'container',
    tokenOf: ({ key }) => key,
    describe: (registration) => describe(container, registration),
    peek: (registration) => peek(container, registration),
    async get(registration, request) {
      const { key, content } = targetOf(registration);
      if (content !== undefined && 'value' in content) return settleValue(content.value);
      if (ownAnswers.has(key)) throw new Error(`Awilix gives no bean of the name ${String(key)}.`);
      if (content?.lifetime === 'SINGLETON') return settleValue(container.resolve(key));
      return settleValue((scope(request) ?? container.createScope()).resolve(key));
    },
  });
}

/** Names to which a container answers with something of its own. */
const ownAnswers = new Set<Key>(['constructor', 'toJSON']);

function scopeOfRequest(request: unknown): AwilixContainerLike | undefined {
  if (typeof request !== 'object' || request === null) return undefined;
  const { diScope, container } = request as Partial<Record<string, AwilixContainerLike>>;
  return [diScope, container].find((each) => types.isMap(each?.cache) && typeof each?.resolve === 'function');
}

/** What a registration makes: undefined where Awilix does not tell. */
type Content =
  | { readonly lifetime: string }
  | { readonly lifetime?: never; readonly value: unknown }
  | { readonly lifetime?: never; readonly alias: Key }
  | undefined;

type Resolvers = AwilixContainerLike['registrations'];

interface Registration {
  readonly key: Key;
  readonly content: Content;
  /** All registrations, which a container puts together anew each time it is asked. */
  readonly all: Resolvers;
}

const registrationsOf = ({ registrations: all }: AwilixContainerLike): readonly Registration[] =>
  Reflect.ownKeys(all).map((key) => ({ key, content: contentOf(all[key]), all }));

const returnsValue = /^\(\) ?=> ?[\w$]+$/;
const resolvesAlias = /^resolve\(([\w$]+)\) ?\{\s*return \1\.resolve\([\w$]+\);?\s*\}$/;

/**
 * `asValue` and `aliasTo` look alike. Their code tells which is which, and that running it creates nothing:
 * a resolver of the application's own may create its bean each time.
 */
function contentOf(resolver: AwilixResolver | undefined): Content {
  if (resolver === undefined) return undefined;
  const { lifetime, resolve } = resolver;
  if (lifetime !== undefined) return { lifetime };
  const code = Function.prototype.toString.call(resolve);
  if (returnsValue.test(code)) return { value: resolve(undefined as never) };
  // Asked with a container that gives back what it is asked for.
  return resolvesAlias.test(code)
    ? { alias: resolve({ resolve: (target: Key) => target } as never) as Key }
    : undefined;
}

/** Follows aliases to what is made; an alias of itself, or of nothing, stays as it is. */
function targetOf(from: Registration): Registration {
  const { all } = from;
  const seen = new Set<Key>();
  let target = from;
  while (target.content !== undefined && 'alias' in target.content) {
    const key = target.content.alias;
    if (seen.has(key) || !Object.hasOwn(all, key)) return from;
    seen.add(key);
    target = { key, content: contentOf(all[key]), all };
  }
  return target;
}

const scopes: Readonly<Record<string, BeanScope>> = {
  SINGLETON: 'singleton',
  SCOPED: 'request',
  TRANSIENT: 'transient',
};

function describe(container: AwilixContainerLike, registration: Registration): RegistrationDetails {
  const { content } = registration;
  const target = targetOf(registration);
  const instance = instanceOf(container, target);
  const isValue = target.content !== undefined && 'value' in target.content;
  const scope = isValue ? 'singleton' : (scopes[target.content?.lifetime ?? ''] ?? 'unknown');
  const state = { type: 'unknown', instantiated: target.content === undefined ? ('unknown' as const) : false };
  return {
    scope,
    dependencies: content !== undefined && 'alias' in content ? [content.alias] : isValue ? [] : 'unknown',
    ...(instance === undefined ? state : describeValue(instance.value)),
  };
}

function peek(container: AwilixContainerLike, registration: Registration): BeanValue | undefined {
  const instance = instanceOf(container, targetOf(registration));
  return instance && peekValue(instance.value);
}

/** Singletons are kept in the root, scoped beans in their scope. */
function instanceOf(container: AwilixContainerLike, { key, content }: Registration): BeanValue | undefined {
  if (content !== undefined && 'value' in content) return content;
  if (content?.lifetime === 'SINGLETON') return rootOf(container).cache.get(key);
  return content?.lifetime === 'SCOPED' ? container.cache.get(key) : undefined;
}

/** The way from a scope to its root is a symbol that Awilix does not export. */
function rootOf(container: AwilixContainerLike): AwilixContainerLike {
  const symbol = Object.getOwnPropertySymbols(container).find(({ description }) => description === 'familyTree');
  const family: unknown = symbol && (container as unknown as Readonly<Record<symbol, unknown>>)[symbol];
  return Array.isArray(family) ? (family.at(-1) as AwilixContainerLike) : container;
}
