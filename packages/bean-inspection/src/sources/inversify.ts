import type { BeanScope, BeanSource, BeanValue } from './bean-source.ts';
import { lazyToken, nameOfToken } from './bean-values.ts';
import { containerSource, type Registration } from './container-source.ts';

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
  return containerSource<unknown>(() => {
    const { bindingService: service } = context;
    const bound = new Map([...service.getBoundServices()].map((id) => [id, [...(service.get(id) ?? [])]]));
    return [...bound.values()].flat().map((binding): Registration => {
      const { serviceIdentifier: token, moduleId, targetServiceIdentifier: target, cache, type, value } = binding;
      const isAlias = type === 'ServiceRedirection';
      return {
        name: nameOfToken(token),
        owner: moduleId === undefined ? 'container' : `module ${moduleId}`,
        token,
        // Resolving an unbound class could bind it, and several bindings are no single target.
        alias: isAlias && bound.get(target)?.length === 1 ? target : undefined,
        details: () => ({
          scope: (!isAlias && scopes[binding.scope ?? '']) || 'unknown',
          type: binding.implementationType,
          dependencies: dependenciesOf(binding),
        }),
        instance() {
          if (cache?.isRight === true) return { value: cache.value };
          return type === 'ConstantValue' ? { value } : undefined;
        },
        async create() {
          const siblings = bound.get(token) ?? [];
          if (siblings.length === 1) return { value: await container.getAsync(token as never) };
          return oneOfSeveral(await container.getAllAsync(token as never), siblings, binding);
        },
      };
    });
  });
}

/** Inversify resolves several bindings of a name only together: in order, without those whose condition is unmet. */
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

const scopes: Readonly<Record<string, BeanScope>> = {
  Singleton: 'singleton',
  Request: 'request',
  Transient: 'transient',
};

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
    const isObject = typeof value === 'object' && value !== null;
    return [isObject && isLazy in value ? lazyToken(() => (value as { unwrap?(): unknown }).unwrap?.()) : value];
  });
}
