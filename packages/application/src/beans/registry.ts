import { typeName } from '@jig/inspect/basics';
import type { FastifyRequest } from 'fastify';
import { errorMessage, hasJigCode, hostError, nameTaken } from '../errors.ts';
import type {
  BeanDefinition,
  BeanName,
  BeanSource,
  Beans,
  BeanTypes,
  DefinedBean,
  SingletonDefinition,
} from './definition.ts';

interface Registered {
  readonly owner: string;
  readonly definition: BeanDefinition<unknown>;
  /** The beans that its `create` has read. */
  readonly dependencies: Set<string>;
  /** Whether its `create` was called. */
  wasCreated: boolean;
  /** The name of its class, once one was created. */
  type: string;
}

/** The owner of beans that replace others in a test. */
const replaceOption = 'replace';

const isSingleton = <Bean>(definition: BeanDefinition<Bean>): definition is SingletonDefinition<Bean> =>
  definition.scope === undefined || definition.scope === 'singleton';

/** A `create` without parameters cannot read any bean. */
function knownDependencies({ definition, dependencies, wasCreated }: Registered): DefinedBean['dependencies'] {
  const { needs } = definition;
  if (needs === undefined && !wasCreated && definition.create.length > 0) return 'unknown';
  return [...new Set([...(needs ?? []), ...dependencies])].sort();
}

/** The application's beans by name: their definitions, their instances and what they depend on. */
export class BeanRegistry implements BeanSource {
  readonly #registered = new Map<string, Registered>();
  /** The beans of add-ons that are off, each with the reason. */
  readonly #missingReasons = new Map<string, string>();
  /** The singletons in the order of creation: each after those it depends on. */
  readonly #instances = new Map<string, unknown>();
  /** The beans of request and session scope. */
  readonly #requestInstances = new WeakMap<FastifyRequest, Map<string, unknown>>();
  /** The beans being created right now, outermost first. */
  readonly #creating: string[] = [];

  /** @param replacements beans for a test; parts that define beans of these names are ignored */
  constructor(replacements: Readonly<Record<string, unknown>> = {}) {
    for (const [name, bean] of Object.entries(replacements)) this.define(replaceOption, name, { create: () => bean });
  }

  define<Bean>(owner: string, name: string, definition: BeanDefinition<Bean>): void {
    const earlier = this.#registered.get(name);
    if (earlier?.owner === replaceOption) return;
    if (earlier !== undefined) throw nameTaken(`bean ${name}`, earlier.owner, owner);
    const bean = { owner, definition: definition as BeanDefinition<unknown> };
    this.#registered.set(name, { ...bean, dependencies: new Set(), wasCreated: false, type: 'unknown' });
  }

  /** Records why these beans are missing: their add-on is off. */
  explainMissing(names: Iterable<string>, because: string): void {
    for (const name of names) this.#missingReasons.set(name, because);
  }

  names(): readonly string[] {
    return [...this.#registered.keys()].sort();
  }

  has(name: string): boolean {
    return this.#registered.has(name);
  }

  describe(name: string): DefinedBean | undefined {
    const registered = this.#registered.get(name);
    if (registered === undefined) return undefined;
    const { owner, definition, type } = registered;
    return {
      name,
      type: definition.type ?? type,
      scope: definition.scope ?? 'singleton',
      owner,
      dependencies: knownDependencies(registered),
      instantiated: this.#instances.has(name),
      ...(owner === replaceOption && { replaced: true }),
    };
  }

  peek<Name extends BeanName>(name: Name): BeanTypes[Name] | undefined;
  peek(name: string): unknown;
  peek(name: string): unknown {
    return this.#instances.get(name);
  }

  get<Name extends BeanName>(name: Name, request?: FastifyRequest): Promise<Awaited<BeanTypes[Name]>>;
  get(name: string, request?: FastifyRequest): Promise<unknown>;
  async get(name: string, request?: FastifyRequest): Promise<unknown> {
    return this.resolve(name, request);
  }

  /** As `get`, but synchronous; a bean of request or session scope may be a promise. */
  resolve<Name extends BeanName>(name: Name, request?: FastifyRequest): BeanTypes[Name];
  resolve(name: string, request?: FastifyRequest): unknown;
  resolve(name: string, request?: FastifyRequest): unknown {
    const registered = this.#registered.get(name);
    if (registered === undefined) {
      const path = [...this.#creating, name].join(' -> ');
      throw hostError('JIG_BEAN_UNKNOWN', `There is no bean ${path}, ${this.whyMissing(name)}`, { fields: { path } });
    }
    const { definition } = registered;
    if (isSingleton(definition))
      // Without the request: a singleton outlives it, so it may not depend on a bean of that scope.
      return this.#createOnce(this.#instances, name, registered, () => definition.create(this.#beansFor(registered)));
    if (request === undefined) {
      const path = [...this.#creating, name].join(' -> ');
      const sentence = `The bean ${path} is of ${definition.scope} scope and can only be had within a request; ask for it with the request at hand.`;
      throw hostError('JIG_BEAN_NEEDS_REQUEST', sentence, { fields: { path } });
    }
    const instances = this.#requestInstances.get(request) ?? new Map<string, unknown>();
    this.#requestInstances.set(request, instances);
    return this.#createOnce(instances, name, registered, () =>
      definition.create(this.#beansFor(registered, request), request),
    );
  }

  /** The beans of these names, each created when it is first read. */
  lazily<Name extends BeanName>(names: readonly Name[]): Pick<BeanTypes, Name>;
  lazily(names: readonly string[]): object {
    const get = (name: string) => () => this.resolve(name);
    return Object.defineProperties(
      {},
      Object.fromEntries(names.map((name) => [name, { get: get(name), enumerable: true }])),
    );
  }

  /** Creates the singletons that have a `start`, with all that they depend on. */
  instantiateStartable(): void {
    for (const [name, { definition }] of this.#registered) {
      if (isSingleton(definition) && definition.start !== undefined) this.resolve(name);
    }
  }

  /** The singletons created so far, each after those it depends on. */
  singletons(): readonly { name: string; bean: unknown; definition: SingletonDefinition<unknown> }[] {
    return [...this.#instances].flatMap(([name, bean]) => {
      const definition = this.#registered.get(name)?.definition;
      return definition !== undefined && isSingleton(definition) ? [{ name, bean, definition }] : [];
    });
  }

  /** Creates the bean on first use. Errors of singletons name the path to them; those of request beans reach the client unchanged. */
  #createOnce(instances: Map<string, unknown>, name: string, registered: Registered, create: () => unknown): unknown {
    if (instances.has(name)) return instances.get(name);
    const path = [...this.#creating, name].join(' -> ');
    if (this.#creating.includes(name)) {
      const sentence = `The beans need each other in a circle: ${path}; let one of them ask for the other later.`;
      throw hostError('JIG_BEAN_CYCLE', sentence, { fields: { path } });
    }
    this.#creating.push(name);
    try {
      registered.wasCreated = true;
      const bean = create();
      instances.set(name, bean);
      // Read now, since inspection must not run code of the bean.
      if (!(bean instanceof Promise)) registered.type = typeName(bean);
      return bean;
    } catch (error) {
      if (instances !== this.#instances || hasJigCode(error)) throw error;
      const sentence = `The bean ${path} could not be made: ${errorMessage(error)}`;
      throw hostError('JIG_BEAN_CREATE_FAILED', sentence, { cause: error, fields: { bean: name } });
    } finally {
      this.#creating.pop();
    }
  }

  /** The other beans, as passed to `create`; each that it reads becomes its dependency. */
  #beansFor({ dependencies }: Registered, request?: FastifyRequest): Beans {
    return new Proxy({} as Beans, {
      get: (_, dependency) => {
        if (typeof dependency === 'symbol') return undefined;
        dependencies.add(dependency);
        return this.resolve(dependency, request);
      },
    });
  }

  /** Why a bean is missing and what to do, to end a sentence with. */
  whyMissing(name: string): string {
    const off = this.#missingReasons.get(name);
    return off === undefined
      ? 'which no part defines; include the part that defines it, or correct the name.'
      : `since ${off}; turn it on, or leave out what needs it.`;
  }
}
