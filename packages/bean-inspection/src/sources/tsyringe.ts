import type { BeanScope, BeanSource, BeanValue } from './bean-source.ts';
import { lazyToken, metadataOf, nameOfToken } from './bean-values.ts';
import { containerSource, type Registration } from './container-source.ts';

/** The public part of a container of tsyringe 4 that is used. */
export interface TsyringeContainerLike {
  resolve(token: never): unknown;
  resolveAll(token: never): unknown[];
}

type Class = abstract new (...args: never) => unknown;

interface TsyringeRegistration {
  readonly provider: {
    readonly useClass?: Class;
    readonly useValue?: unknown;
    readonly useToken?: unknown;
    readonly useFactory?: unknown;
  };
  readonly options: { readonly lifecycle: number };
  readonly instance?: unknown;
}

/** The private parts of a container. */
interface Internals {
  readonly _registry?: { entries?(): Iterable<readonly [unknown, readonly TsyringeRegistration[]]> };
  readonly parent?: Internals;
}

/** The registrations of a tsyringe container and its parents, apart from those that a child container overrides. */
export function fromTsyringe(container: TsyringeContainerLike): BeanSource {
  const internals = container as unknown as Internals | undefined;
  if (typeof internals?._registry?.entries !== 'function')
    throw new TypeError(
      'fromTsyringe needs a container of tsyringe 4 (tested with 4.10): it reads private parts, which this container does not have.',
    );
  return containerSource<unknown>(() => registrationsOf(internals, container));
}

function registrationsOf(internals: Internals, container: TsyringeContainerLike): readonly Registration[] {
  const all = new Map<unknown, readonly Registration[]>();
  let level = 0;
  for (let at: Internals | undefined = internals; at !== undefined; at = at.parent, level++) {
    const owner = at.parent === undefined ? 'container' : level === 0 ? 'child container' : `parent container ${level}`;
    for (const [token, registrations] of at._registry?.entries?.() ?? []) {
      // tsyringe keeps an empty list for a token that was only asked about.
      if (registrations.length === 0 || all.has(token)) continue;
      const toRegistration = (registration: TsyringeRegistration, index: number): Registration => ({
        name: nameOfToken(token),
        owner,
        token,
        alias: registration.instance === undefined ? unwrap(registration.provider.useToken) : undefined,
        details: () => ({
          scope: scopeOf(registration),
          type: unwrap(registration.provider.useClass),
          dependencies: dependenciesOf(registration.provider),
        }),
        instance: () => instanceOf(registration),
        create: () => ({
          value:
            registrations.length === 1
              ? container.resolve(token as never)
              : container.resolveAll(token as never)[index],
        }),
      });
      all.set(token, registrations.map(toRegistration));
    }
  }
  return [...all.values()].flat();
}

/** The values of the enum Lifecycle: Transient, Singleton, ResolutionScoped, ContainerScoped. */
const scopes: readonly BeanScope[] = ['transient', 'singleton', 'request', 'singleton'];

/** How long factories keep their values is unknown. */
function scopeOf(registration: TsyringeRegistration): BeanScope {
  if (registration.provider.useClass !== undefined) return scopes[registration.options.lifecycle] ?? 'unknown';
  return instanceOf(registration) === undefined ? 'unknown' : 'singleton';
}

/** The value of a caching factory cannot be read. */
function instanceOf({ provider, instance }: TsyringeRegistration): BeanValue | undefined {
  if (provider.useValue !== undefined) return { value: provider.useValue };
  return instance === undefined ? undefined : { value: instance };
}

function dependenciesOf(provider: TsyringeRegistration['provider']): readonly unknown[] | 'unknown' {
  if (provider.useValue !== undefined) return [];
  if (provider.useToken !== undefined) return [unwrap(provider.useToken)];
  return provider.useClass === undefined ? 'unknown' : dependenciesOfClass(provider.useClass);
}

/** As tsyringe itself reads it: the types of the parameters, and in their places the tokens of `@inject`. */
function dependenciesOfClass(type: Class): readonly unknown[] | 'unknown' {
  const types = metadataOf<readonly unknown[]>('design:paramtypes', type);
  const { getOwnMetadata } = Reflect as { getOwnMetadata?: (key: string, target: unknown) => object | undefined };
  const tokens = Object.entries(getOwnMetadata?.('injectionTokens', type) ?? {});
  if (types === undefined && tokens.length === 0) return type.length === 0 ? [] : 'unknown';
  const parameters = [...(types ?? [])];
  for (const [index, token] of tokens) parameters[Number(index)] = token;
  return Array.from(parameters, (parameter) => unwrap(tokenOf(parameter)));
}

/** `@injectAll` and `@injectWithTransform` put the token into an object. */
const tokenOf = (parameter: unknown) =>
  typeof parameter === 'object' && parameter !== null && 'token' in parameter ? parameter.token : parameter;

/** `delay(() => type)` holds a function, since the class may not be defined yet. */
function unwrap(token: unknown): unknown {
  if (typeof token !== 'object' || token === null || !('wrap' in token) || typeof token.wrap !== 'function')
    return token;
  const { wrap } = token;
  return lazyToken(() => wrap());
}
