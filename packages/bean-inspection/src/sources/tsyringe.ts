import { nameOfToken } from './bean-names.ts';
import type { BeanScope, BeanSource, BeanValue } from './bean-source.ts';
import { describeValue, peekValue, settleValue } from './bean-values.ts';
import { containerSource, type RegistrationDetails } from './container-source.ts';

/** What is used of a container of tsyringe 4 in public. */
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
  readonly _registry: { entries(): Iterable<readonly [unknown, readonly TsyringeRegistration[]]> };
  readonly parent?: Internals;
}

interface Registration {
  readonly token: unknown;
  readonly owner: string;
  readonly itself: TsyringeRegistration;
  /** All registrations that can be reached, by their tokens; those of one token in their order. */
  readonly all: ReadonlyMap<unknown, readonly Registration[]>;
}

/** The registrations of a tsyringe container and its parents, apart from those that a child container overrides. */
export function fromTsyringe(container: TsyringeContainerLike): BeanSource {
  const internals = container as unknown as Internals;
  entriesOf(internals);
  const registrations = () => registrationsOf(internals);
  return containerSource<Registration, unknown>({
    registrations,
    nameOf: ({ token }) => nameOfToken(token),
    ownerOf: ({ owner }) => owner,
    tokenOf: ({ token }) => token,
    describe,
    peek(registration) {
      const instance = instanceOf(targetOf(registration));
      return instance && peekValue(instance.value);
    },
    async get(registration) {
      const { token, all } = registration;
      const existing = instanceOf(targetOf(registration));
      if (existing !== undefined) return settleValue(existing.value);
      const siblings = all.get(token) ?? [];
      if (siblings.length === 1) return settleValue(container.resolve(token as never));
      return settleValue(container.resolveAll(token as never)[siblings.indexOf(registration)]);
    },
  });
}

function registrationsOf(container: Internals): readonly Registration[] {
  const all = new Map<unknown, Registration[]>();
  let level = 0;
  for (let at: Internals | undefined = container; at !== undefined; at = at.parent, level++) {
    const owner = at.parent === undefined ? 'container' : level === 0 ? 'child container' : `parent container ${level}`;
    for (const [token, registrations] of entriesOf(at)) {
      // tsyringe keeps an empty list for a token that was only asked about.
      if (registrations.length === 0 || all.has(token)) continue;
      all.set(
        token,
        registrations.map((itself) => ({ token, owner, itself, all })),
      );
    }
  }
  return [...all.values()].flat();
}

/** These parts are private, so another version may have others. */
function entriesOf(container: Internals | undefined): readonly (readonly [unknown, readonly TsyringeRegistration[]])[] {
  if (typeof container?._registry?.entries !== 'function') throw unsupported();
  const entries = [...container._registry.entries()];
  for (const [, registrations] of entries) {
    if (!Array.isArray(registrations)) throw unsupported();
    for (const { provider, options } of registrations)
      if (typeof provider !== 'object' || typeof options?.lifecycle !== 'number') throw unsupported();
  }
  return entries;
}

const unsupported = () =>
  new TypeError(
    'fromTsyringe needs a container of tsyringe 4 (tested with 4.10): it reads private parts, which this container does not have.',
  );

/** What a token stands for in the end; tsyringe takes the last registration, and refuses circles. */
function targetOf(from: Registration): Registration | undefined {
  let target: Registration | undefined = from;
  for (let steps = 0; steps <= from.all.size && target?.itself.provider.useToken !== undefined; steps++) {
    if (target.itself.instance !== undefined) return target;
    target = from.all.get(target.itself.provider.useToken)?.at(-1);
  }
  return target;
}

/** The values of the enum Lifecycle: Transient, Singleton, ResolutionScoped, ContainerScoped. */
const scopes: readonly BeanScope[] = ['transient', 'singleton', 'request', 'singleton'];

function describe(registration: Registration): RegistrationDetails {
  const target = targetOf(registration);
  const instance = instanceOf(target);
  const { provider = {}, options } = target?.itself ?? {};
  const isKnown = provider.useClass !== undefined;
  return {
    scope: isKnown ? (scopes[options?.lifecycle ?? -1] ?? 'unknown') : instance === undefined ? 'unknown' : 'singleton',
    dependencies: dependenciesOf(registration.itself.provider),
    ...(instance === undefined
      ? { type: nameOfClass(provider.useClass), instantiated: isKnown ? false : ('unknown' as const) }
      : describeValue(instance.value)),
  };
}

const nameOfClass = (type: Class | undefined) => (type === undefined ? 'unknown' : nameOfToken(unwrap(type)));

/** What a caching factory holds cannot be seen. */
function instanceOf(registration: Registration | undefined): BeanValue | undefined {
  if (registration === undefined) return undefined;
  const { provider, instance } = registration.itself;
  if (provider.useValue !== undefined) return { value: provider.useValue };
  return instance === undefined ? undefined : { value: instance };
}

function dependenciesOf(provider: TsyringeRegistration['provider']): readonly unknown[] | 'unknown' {
  if (provider.useValue !== undefined) return [];
  if (provider.useToken !== undefined) return [unwrap(provider.useToken)];
  return provider.useClass === undefined ? 'unknown' : dependenciesOfClass(provider.useClass);
}

interface ReflectMetadata {
  getMetadata?(key: string, target: unknown): readonly unknown[] | undefined;
  getOwnMetadata?(key: string, target: unknown): Readonly<Record<string, unknown>> | undefined;
}

/** As tsyringe itself reads it: the types of the parameters, and in their places the tokens of `@inject`. */
function dependenciesOfClass(type: Class): readonly unknown[] | 'unknown' {
  const reflect = Reflect as ReflectMetadata;
  const types = reflect.getMetadata?.('design:paramtypes', type);
  const tokens = Object.entries(reflect.getOwnMetadata?.('injectionTokens', type) ?? {});
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
  try {
    return token.wrap();
  } catch {
    return '(delayed)';
  }
}
