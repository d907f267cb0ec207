import { types } from 'node:util';
import type { BeanScope, BeanSource, BeanValue } from './bean-source.ts';
import { nameOfToken } from './bean-values.ts';
import { containerSource, type Registration } from './container-source.ts';

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

/** The providers and controllers of all modules of a Nest application, also of those that are loaded later. */
export function fromNest(modules: NestModulesLike, { exceptModules = [] }: NestSourceOptions = {}): BeanSource {
  if (!types.isMap(modules))
    throw new TypeError(
      'fromNest needs the ModulesContainer of Nest 11 or 12, which app.get(ModulesContainer) returns.',
    );
  const excluded = new Set(['InternalCoreModule', ...exceptModules]);
  return containerSource<unknown>(() => registrationsOf(modules, excluded));
}

/** What Nest adds to every module. */
const nestProviders = new Set(['ModuleRef', 'ApplicationConfig']);

function registrationsOf(modules: NestModulesLike, excluded: ReadonlySet<string>): readonly Registration[] {
  const listed = new Map<NestWrapperLike, NestModuleLike>();
  for (const module of modules.values()) {
    if (excluded.has(module.name)) continue;
    for (const wrapper of [...module.providers.values(), ...module.controllers.values()]) {
      const { token, host } = wrapper;
      const isFromNest = token === module.metatype || (typeof token === 'function' && nestProviders.has(token.name));
      if (!isFromNest && host === module) listed.set(wrapper, module);
    }
  }
  let requestScoped: ReadonlySet<NestWrapperLike> | undefined;
  const scopeOf = (wrapper: NestWrapperLike): BeanScope => {
    if (wrapper.isTransient) return 'transient';
    requestScoped ??= requestScopedWrappers(modules);
    return requestScoped.has(wrapper) ? 'request' : 'singleton';
  };
  return [...listed].map(([wrapper, module]) => ({
    name: nameOfToken(wrapper.token),
    owner: module.name,
    token: wrapper,
    details: () => ({
      scope: scopeOf(wrapper),
      type: wrapper.isNotMetatype ? undefined : wrapper.metatype,
      dependencies: dependenciesOf(wrapper, listed),
    }),
    instance: () => (scopeOf(wrapper) === 'singleton' ? instanceOf(wrapper) : undefined),
    create(request, scope) {
      if (scope !== 'singleton') return createIn(module, wrapper, request);
      throw new Error(`Nest has not created ${nameOfToken(wrapper.token)} yet; it creates it while it starts.`);
    },
  }));
}

/** The value of `Scope.REQUEST`. */
const requestScope = 2;

/** A bean that depends on a request-scoped one is request-scoped too. Nest's own method for this changes its log and its state. */
function requestScopedWrappers(modules: NestModulesLike): ReadonlySet<NestWrapperLike> {
  const found = new Set<NestWrapperLike>();
  const isFound = (wrapper: NestWrapperLike | undefined) =>
    wrapper?.scope === requestScope || found.has(wrapper as never);
  let waiting = [...modules.values()].flatMap(({ providers, controllers, injectables }) => [
    ...providers.values(),
    ...controllers.values(),
    ...injectables.values(),
  ]);
  // Repeated until nothing is found, since dependencies may be circular.
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    waiting = waiting.filter((wrapper) => {
      const isRequestScoped =
        isFound(wrapper) ||
        wrapper.getCtorMetadata()?.some(isFound) === true ||
        wrapper.getPropertiesMetadata()?.some((property) => isFound(property.wrapper)) === true ||
        wrapper.getEnhancersMetadata()?.some(isFound) === true;
      if (isRequestScoped) found.add(wrapper);
      return !isRequestScoped;
    });
  }
  return found;
}

/** Until a bean is created, and for ever in request scope, its wrapper holds an empty object of its class. */
function instanceOf(wrapper: NestWrapperLike): BeanValue | undefined {
  const { instance, isResolved } = wrapper.getInstanceByContextId(staticContextOf(wrapper) as never);
  return isResolved === true ? { value: instance } : undefined;
}

const staticContexts = new WeakMap<object, object>();

/** The context of singletons. Nest does not export it, but the getter `instance` of a wrapper passes it on. */
function staticContextOf(wrapper: NestWrapperLike): object {
  const prototype: object = Object.getPrototypeOf(wrapper);
  let context = staticContexts.get(prototype);
  if (context !== undefined) return context;
  const wrapperStub = {
    getInstanceByContextId(id: object) {
      context = id;
      return {};
    },
  };
  Object.getOwnPropertyDescriptor(prototype, 'instance')?.get?.call(wrapperStub);
  if (context === undefined)
    throw new TypeError('fromNest supports Nest 11 and 12; the providers of this version look different.');
  staticContexts.set(prototype, context);
  return context;
}

/** Creates the provider for one read, in a new context, as for a request. */
async function createIn(module: NestModuleLike, wrapper: NestWrapperLike, request: unknown): Promise<BeanValue> {
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

/** As wrappers where they are in the list, otherwise as tokens. Nest 11 links those of request scope when they are needed. */
function dependenciesOf(
  wrapper: NestWrapperLike,
  listed: ReadonlyMap<NestWrapperLike, unknown>,
): readonly unknown[] | 'unknown' {
  const parameters = wrapper.getCtorMetadata();
  const properties = wrapper.getPropertiesMetadata();
  if (parameters === undefined && properties === undefined) return needsNothing(wrapper) ? [] : 'unknown';
  const needed = [...(parameters ?? []), ...(properties ?? []).map((property) => property.wrapper)];
  return needed.filter((each) => each !== undefined).map((each) => (listed.has(each) ? each : each.token));
}

function needsNothing({ inject, isNotMetatype, metatype }: NestWrapperLike): boolean {
  if (inject) return inject.length === 0;
  return isNotMetatype || typeof metatype !== 'function' || metatype.length === 0;
}
