import { types } from 'node:util';
import { nameOfToken } from './bean-names.ts';
import type { BeanScope, BeanSource, BeanValue } from './bean-source.ts';
import { describeValue, peekValue, settleValue } from './bean-values.ts';
import { containerSource, type RegistrationDetails } from './container-source.ts';

/** What is used of the `ModulesContainer` of Nest 11 and 12: `app.get(ModulesContainer)`. */
export type NestModulesLike = ReadonlyMap<string, NestModuleLike>;

export interface NestModuleLike {
  readonly name: string;
  readonly metatype: unknown;
  readonly imports: Iterable<NestModuleLike>;
  readonly exports: { has(token: never): boolean };
  readonly providers: ReadonlyMap<unknown, NestWrapperLike>;
  readonly controllers: ReadonlyMap<unknown, NestWrapperLike>;
  readonly injectables: ReadonlyMap<unknown, NestWrapperLike>;
}

/** The part of Nest's `InstanceWrapper` that is used. */
export interface NestWrapperLike {
  readonly token: unknown;
  readonly host?: NestModuleLike | undefined;
  readonly scope?: number | undefined;
  readonly metatype: unknown;
  readonly inject?: readonly unknown[] | null | undefined;
  readonly instance: unknown;
  readonly isTransient: boolean;
  readonly isNotMetatype: boolean;
  getInstanceByContextId(context: never): { readonly instance?: unknown; readonly isResolved?: boolean | undefined };
  getCtorMetadata(): readonly (NestWrapperLike | undefined)[] | undefined;
  getPropertiesMetadata(): readonly { readonly wrapper: NestWrapperLike }[] | undefined;
  getEnhancersMetadata(): readonly NestWrapperLike[] | undefined;
}

export interface NestSourceOptions {
  /** Names of modules whose providers are left out. */
  readonly exceptModules?: readonly string[];
}

interface ModuleRefLike {
  registerRequestByContextId(request: unknown, context: object): void;
  resolve(token: unknown, context: object, options: { readonly strict: boolean }): Promise<unknown>;
}

interface Registration {
  readonly wrapper: NestWrapperLike;
  readonly module: NestModuleLike;
  readonly pass: Pass;
}

/** What is found out once for all beans of a list. */
interface Pass {
  readonly modules: NestModulesLike;
  readonly listed: Set<NestWrapperLike>;
  requestScoped?: ReadonlySet<NestWrapperLike>;
}

/** The providers and controllers of all modules of a Nest application, also of those that are loaded later. */
export function fromNest(modules: NestModulesLike, { exceptModules = [] }: NestSourceOptions = {}): BeanSource {
  if (!types.isMap(modules))
    throw new TypeError(
      'fromNest needs the ModulesContainer of Nest 11 or 12, which app.get(ModulesContainer) returns.',
    );
  const leftOut = new Set(['InternalCoreModule', ...exceptModules]);
  return containerSource<Registration, unknown>({
    registrations: () => registrationsOf(modules, leftOut),
    nameOf: ({ wrapper }) => nameOfToken(wrapper.token),
    ownerOf: ({ module }) => module.name,
    tokenOf: ({ wrapper }) => wrapper,
    describe,
    peek(registration) {
      const instance = instanceOf(registration);
      return instance && peekValue(instance.value);
    },
    async get(registration, request) {
      const existing = instanceOf(registration);
      if (existing !== undefined) return settleValue(existing.value);
      if (scopeOf(registration) === 'singleton')
        throw new Error(
          `Nest has not created ${nameOfToken(registration.wrapper.token)} yet; it creates it while it starts.`,
        );
      return createIn(registration, request);
    },
  });
}

/** What Nest adds to every module. */
const ofNest = new Set(['ModuleRef', 'ApplicationConfig']);

function registrationsOf(modules: NestModulesLike, leftOut: ReadonlySet<string>): readonly Registration[] {
  const pass: Pass = { modules, listed: new Set() };
  const found: Registration[] = [];
  for (const module of modules.values()) {
    if (leftOut.has(module.name)) continue;
    for (const wrapper of [...module.providers.values(), ...module.controllers.values()]) {
      const { token, host } = wrapper;
      const isOfNest = token === module.metatype || (typeof token === 'function' && ofNest.has(token.name));
      if (isOfNest || host !== module) continue;
      pass.listed.add(wrapper);
      found.push({ wrapper, module, pass });
    }
  }
  return found;
}

function describe(registration: Registration): RegistrationDetails {
  const { wrapper } = registration;
  const instance = instanceOf(registration);
  return {
    scope: scopeOf(registration),
    dependencies: dependenciesOf(registration),
    ...(instance === undefined
      ? { type: wrapper.isNotMetatype ? 'unknown' : nameOfToken(wrapper.metatype), instantiated: false }
      : describeValue(instance.value)),
  };
}

function scopeOf({ wrapper, pass }: Registration): BeanScope {
  if (wrapper.isTransient) return 'transient';
  pass.requestScoped ??= requestScopedWrappers(pass.modules);
  return pass.requestScoped.has(wrapper) ? 'request' : 'singleton';
}

/** The value of `Scope.REQUEST`. */
const requestScope = 2;

/** Whatever depends on a bean of request scope is of that scope too. Nest's own method for it writes to its log and into its records. */
function requestScopedWrappers(modules: NestModulesLike): ReadonlySet<NestWrapperLike> {
  const found = new Set<NestWrapperLike>();
  const isFound = (wrapper: NestWrapperLike | undefined) =>
    wrapper?.scope === requestScope || found.has(wrapper as never);
  let waiting = [...modules.values()].flatMap(({ providers, controllers, injectables }) => [
    ...providers.values(),
    ...controllers.values(),
    ...injectables.values(),
  ]);
  // Again and again, since beans may need each other in circles.
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    waiting = waiting.filter((wrapper) => {
      const isOne =
        isFound(wrapper) ||
        wrapper.getCtorMetadata()?.some(isFound) === true ||
        wrapper.getPropertiesMetadata()?.some((property) => isFound(property.wrapper)) === true ||
        wrapper.getEnhancersMetadata()?.some(isFound) === true;
      if (isOne) found.add(wrapper);
      return !isOne;
    });
  }
  return found;
}

/** Until a bean is created, and for ever in request scope, its wrapper holds an empty object of its class. */
function instanceOf(registration: Registration): BeanValue | undefined {
  const { wrapper } = registration;
  if (scopeOf(registration) !== 'singleton') return undefined;
  const { instance, isResolved } = wrapper.getInstanceByContextId(staticContextOf(wrapper) as never);
  return isResolved === true ? { value: instance } : undefined;
}

const staticContexts = new WeakMap<object, object>();

/** The context of singletons, which Nest does not export: the getter `instance` of a wrapper asks for it. */
function staticContextOf(wrapper: NestWrapperLike): object {
  const prototype: object = Object.getPrototypeOf(wrapper);
  let context = staticContexts.get(prototype);
  if (context !== undefined) return context;
  const asked = {
    getInstanceByContextId(id: object) {
      context = id;
      return {};
    },
  };
  Object.getOwnPropertyDescriptor(prototype, 'instance')?.get?.call(asked);
  if (context === undefined)
    throw new TypeError('fromNest supports Nest 11 and 12; the providers of this version look different.');
  staticContexts.set(prototype, context);
  return context;
}

/** The provider for one look, in a context of its own. Its constructor runs, as for a request. */
async function createIn({ wrapper, module }: Registration, request: unknown): Promise<BeanValue> {
  const refs = [...module.providers.values()].filter(
    ({ token }) => typeof token === 'function' && token.name === 'ModuleRef',
  );
  const moduleRef = refs[0]?.instance as ModuleRefLike | undefined;
  if (moduleRef === undefined)
    throw new Error(`The module ${module.name} has no ModuleRef, so nothing of it can be created.`);
  const context = { id: Math.random() };
  if (request !== undefined) moduleRef.registerRequestByContextId(request, context);
  return { value: await moduleRef.resolve(wrapper.token, context, { strict: true }) };
}

/** As wrappers where they are in the list, otherwise as tokens. */
function dependenciesOf({ wrapper, module, pass }: Registration): readonly unknown[] | 'unknown' {
  const toDependency = (needed: NestWrapperLike) => (pass.listed.has(needed) ? needed : needed.token);
  const linked = wrapper.getCtorMetadata();
  const properties = wrapper.getPropertiesMetadata();
  if (linked === undefined && properties === undefined) {
    const declared = declaredDependencies(wrapper);
    if (declared === 'unknown') return declared;
    return declared.map((token) => {
      const found = findProvider(token, module);
      return found === undefined ? token : toDependency(found);
    });
  }
  const dependencies: unknown[] = [];
  for (const needed of linked ?? []) if (needed !== undefined) dependencies.push(toDependency(needed));
  for (const property of properties ?? []) dependencies.push(toDependency(property.wrapper));
  return dependencies;
}

interface ReflectMetadata {
  getMetadata?(key: string, target: unknown): readonly unknown[] | undefined;
}

/** What a provider declares, before Nest has linked it; Nest 11 never links those of request scope until they are needed. */
function declaredDependencies({ metatype, inject, isNotMetatype }: NestWrapperLike): readonly unknown[] | 'unknown' {
  if (inject) return inject.map(tokenOf);
  if (isNotMetatype || typeof metatype !== 'function') return [];
  const reflect = Reflect as ReflectMetadata;
  const types = reflect.getMetadata?.('design:paramtypes', metatype);
  const injected = (reflect.getMetadata?.('self:paramtypes', metatype) ?? []) as readonly Injected[];
  const properties = (reflect.getMetadata?.('self:properties_metadata', metatype) ?? []) as readonly Injected[];
  if (types === undefined && injected.length < metatype.length) return 'unknown';
  const parameters = [...(types ?? [])];
  for (const { index = 0, param } of injected) parameters[index] = param;
  return [...Array.from(parameters), ...properties.map(({ type }) => type)]
    .map(tokenOf)
    .filter((token) => token !== undefined);
}

/** What `@Inject` leaves, at a parameter or at a property. */
interface Injected {
  readonly index?: number;
  readonly param?: unknown;
  readonly type?: unknown;
}

/** `forwardRef(() => token)` and `{ token, optional }` stand for their token. */
function tokenOf(declared: unknown): unknown {
  if (typeof declared !== 'object' || declared === null) return declared;
  const { forwardRef, token } = declared as { forwardRef?: () => unknown; token?: unknown };
  if (typeof forwardRef !== 'function') return token ?? declared;
  try {
    return forwardRef();
  } catch {
    return '(forward reference)';
  }
}

/** The provider that a token means in a module: its own, or one that a module it imports exports. */
function findProvider(token: unknown, module: NestModuleLike): NestWrapperLike | undefined {
  const own = module.providers.get(token);
  if (own !== undefined) return own;
  const seen = new Set<NestModuleLike>(module.imports);
  for (const imported of seen) {
    if (!imported.exports.has(token as never)) continue;
    const exported = imported.providers.get(token);
    if (exported !== undefined) return exported;
    for (const each of imported.imports) seen.add(each);
  }
  return undefined;
}
