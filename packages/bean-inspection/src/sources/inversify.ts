import { nameOfToken } from './bean-names.ts';
import type { BeanScope, BeanSource, BeanValue } from './bean-source.ts';
import { describeValue, peekValue, settleValue } from './bean-values.ts';
import { containerSource, type RegistrationDetails } from './container-source.ts';

/** What is used of a container of Inversify 8: its public plugin API. */
export interface InversifyContainerLike {
  register(plugin: never): void;
  getAsync(serviceIdentifier: never): Promise<unknown>;
  getAllAsync(serviceIdentifier: never): Promise<unknown[]>;
}

/** A constructor argument, a property or an argument of a factory; there is no `value` where nothing is injected. */
interface Injection {
  readonly value?: unknown;
}

interface Binding {
  readonly type: string;
  readonly serviceIdentifier: unknown;
  readonly moduleId: number | undefined;
  readonly scope?: string;
  readonly cache?: { readonly isRight: boolean; readonly value?: unknown };
  readonly value?: unknown;
  readonly implementationType?: abstract new (...args: never) => unknown;
  readonly metadata?: { readonly arguments: readonly Injection[] };
  readonly targetServiceIdentifier?: unknown;
}

interface BindingService {
  getBoundServices(): Iterable<unknown>;
  get(serviceIdentifier: unknown): Iterable<Binding> | undefined;
}

/** `snapshot` and `restore` replace the service, so it is read each time. */
interface PluginContext {
  readonly bindingService: BindingService;
}

/** The bindings of an Inversify container and its parents. */
export function fromInversify(container: InversifyContainerLike): BeanSource {
  const context = pluginContext(container);
  const bindingsOf = (id: unknown) => [...(context.bindingService.get(id) ?? [])];
  const targetOf = (binding: Binding) => followRedirections(binding, context.bindingService);
  return containerSource<Binding, unknown>({
    registrations: () => [...context.bindingService.getBoundServices()].flatMap(bindingsOf),
    nameOf: ({ serviceIdentifier }) => nameOfToken(serviceIdentifier),
    ownerOf: ({ moduleId }) => (moduleId === undefined ? 'container' : `module ${moduleId}`),
    tokenOf: ({ serviceIdentifier }) => serviceIdentifier,
    describe: (binding) => describe(binding, targetOf(binding)),
    peek(binding) {
      const instance = instanceOf(targetOf(binding));
      return instance && peekValue(instance.value);
    },
    async get(binding) {
      const existing = instanceOf(targetOf(binding));
      if (existing !== undefined) return settleValue(existing.value);
      const id = binding.serviceIdentifier as never;
      const bindings = bindingsOf(id);
      if (bindings.length > 1) return oneOfSeveral(await container.getAllAsync(id), bindings, binding);
      return { value: await container.getAsync(id) };
    },
  });
}

/** One binding of several cannot be asked for alone; all are given in their order, apart from those with an unmet condition. */
function oneOfSeveral(values: readonly unknown[], bindings: readonly Binding[], binding: Binding): BeanValue {
  if (values.length === bindings.length) return { value: values[bindings.indexOf(binding)] };
  const name = nameOfToken(binding.serviceIdentifier);
  throw new Error(
    `Inversify gives only ${values.length} of the ${bindings.length} bindings of ${name} by its name alone.`,
  );
}

const isPlugin = Symbol.for('@inversifyjs/plugin/isPlugin');

/** A container gives its context to plugins only. The plugin does nothing, and the container does not keep it. */
function pluginContext(container: InversifyContainerLike): PluginContext {
  let given: Partial<PluginContext> | undefined;
  class BeanInspectionPlugin {
    readonly [isPlugin] = true;
    constructor(_container: unknown, context: PluginContext) {
      given = context;
    }
    load(): void {}
  }
  if (typeof container?.register === 'function') container.register(BeanInspectionPlugin as never);
  if (typeof given?.bindingService?.getBoundServices !== 'function')
    throw new TypeError('fromInversify needs a container of Inversify 8.');
  return given as PluginContext;
}

/** To what is made; a service that is redirected in a circle, or to none or several bindings, stays as it is. */
function followRedirections(from: Binding, service: BindingService): Binding {
  const seen = new Set<Binding>();
  let target = from;
  while (target.type === 'ServiceRedirection') {
    // A class that is not bound could be bound by asking for its bindings.
    const isBound = new Set(service.getBoundServices()).has(target.targetServiceIdentifier);
    const [only, ...others] = isBound ? (service.get(target.targetServiceIdentifier) ?? []) : [];
    if (only === undefined || others.length > 0 || seen.has(only)) return from;
    seen.add(only);
    target = only;
  }
  return target;
}

const scopes: Readonly<Record<string, BeanScope>> = {
  Singleton: 'singleton',
  Request: 'request',
  Transient: 'transient',
};

function describe(binding: Binding, target: Binding): RegistrationDetails {
  const instance = instanceOf(target);
  const type = target.implementationType === undefined ? 'unknown' : nameOfToken(target.implementationType);
  const isUnclear = target.type === 'ServiceRedirection';
  return {
    scope: scopes[target.scope ?? ''] ?? 'unknown',
    dependencies: dependenciesOf(binding),
    ...(instance === undefined
      ? { type, instantiated: isUnclear ? ('unknown' as const) : false }
      : describeValue(instance.value)),
  };
}

function instanceOf({ type, cache, value }: Binding): BeanValue | undefined {
  if (cache?.isRight === true) return { value: cache.value };
  return type === 'ConstantValue' ? { value } : undefined;
}

function dependenciesOf(binding: Binding): readonly unknown[] | 'unknown' {
  switch (binding.type) {
    case 'ConstantValue':
      return [];
    case 'ServiceRedirection':
      return [binding.targetServiceIdentifier];
    case 'ResolvedValue':
      return tokensOf(binding.metadata?.arguments ?? []);
    case 'Instance':
      return dependenciesOfClass(binding.implementationType);
    default:
      return 'unknown';
  }
}

interface ClassMetadata {
  readonly constructorArguments: readonly (Injection | undefined)[];
  readonly properties: ReadonlyMap<PropertyKey, Injection>;
}

/** As `getClassMetadata` of Inversify reads it, which would have to be imported from the application's own copy. */
function dependenciesOfClass(type: Binding['implementationType']): readonly unknown[] | 'unknown' {
  const { getOwnMetadata } = Reflect as {
    getOwnMetadata?: (key: string, target: unknown) => ClassMetadata | undefined;
  };
  const metadata = type && getOwnMetadata?.('@inversifyjs/core/classMetadataReflectKey', type);
  if (metadata === undefined) return type?.length === 0 ? [] : 'unknown';
  return tokensOf([...metadata.constructorArguments, ...metadata.properties.values()]);
}

const isLazy = Symbol.for('@inversifyjs/common/islazyServiceIdentifier');

function tokensOf(injections: readonly (Injection | undefined)[]): readonly unknown[] {
  return injections.flatMap((injection) => {
    if (injection === undefined || !('value' in injection)) return [];
    const { value } = injection;
    return [typeof value === 'object' && value !== null && isLazy in value ? unwrap(value) : value];
  });
}

/** The function in it may name a class that is not defined yet. */
function unwrap(lazy: object): unknown {
  try {
    return (lazy as { unwrap(): unknown }).unwrap();
  } catch {
    return '(lazy)';
  }
}
