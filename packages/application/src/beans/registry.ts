import { typeName } from '@jig/inspect/basics';
import type { FastifyRequest } from 'fastify';
import { errorMessage, hasJigCode, hostError } from '../errors.ts';
import { nearestName } from '../nearest-name.ts';
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
  readonly replaced: boolean;
  /** The name of its class, once one was created. */
  type: string | undefined;
}

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
  readonly #off = new Map<string, string>();
  readonly #replacements: ReadonlyMap<string, unknown>;
  /** The singletons in the order of creation: each after those it depends on. */
  readonly #instances = new Map<string, unknown>();
  /** The beans of request and session scope. */
  readonly #requestInstances = new WeakMap<FastifyRequest, Map<string, unknown>>();
  /** The beans being created right now, outermost first. */
  readonly #path: string[] = [];
  #sealed = false;

  /** @param replacements take the place of what parts define; for tests */
  constructor(replacements: ReadonlyMap<string, unknown> = new Map()) {
    this.#replacements = replacements;
  }

  define<Bean>(owner: string, name: string, given: BeanDefinition<Bean>): void {
    const replaced = this.#replacements.has(name);
    const definition = replaced ? { create: () => this.#replacements.get(name) } : given;
    const earlier = this.#registered.get(name);
    if (earlier !== undefined) {
      const sentence = `The bean ${name} is defined by both ${earlier.owner} and ${owner}; rename one of them, or leave one of these parts out.`;
      throw hostError('JIG_BEAN_DEFINED_TWICE', sentence);
    }
    if (this.#sealed) {
      const sentence = `${owner} defines the bean ${name} after the application has started; beans are defined in register.`;
      throw hostError('JIG_BEANS_SEALED', sentence);
    }
    this.#register(name, { owner, definition: definition as BeanDefinition<unknown>, replaced });
  }

  #register(name: string, bean: Pick<Registered, 'owner' | 'definition' | 'replaced'>): void {
    this.#registered.set(name, { ...bean, dependencies: new Set(), wasCreated: false, type: undefined });
  }

  /** Replacements that no part defines are beans too: they may stand for beans of an add-on that is off. */
  defineOtherReplacements(owner: string): void {
    for (const [name, bean] of this.#replacements) {
      if (!this.has(name)) this.#register(name, { owner, definition: { create: () => bean }, replaced: true });
    }
  }

  /** Records why these beans are missing: their add-on is off. */
  explainMissing(names: Iterable<string>, because: string): void {
    for (const name of names) this.#off.set(name, because);
  }

  /** From here on no bean can be defined: it would never be started. */
  seal(): void {
    this.#sealed = true;
  }

  names(): readonly string[] {
    return [...this.#registered.keys()].sort();
  }

  has(name: string): boolean {
    return this.#registered.has(name);
  }

  /** Throws unless all are defined. Each needs the next; the error shows the chain. */
  checkDefined(...path: readonly string[]): void {
    const unknown = path.findIndex((name) => !this.has(name));
    if (unknown !== -1) throw this.#unknownBean(path.slice(0, unknown + 1));
  }

  describe(name: string): DefinedBean | undefined {
    const registered = this.#registered.get(name);
    if (registered === undefined) return undefined;
    const { owner, definition, type, replaced } = registered;
    return {
      name,
      type: definition.type ?? type ?? 'unknown',
      scope: definition.scope ?? 'singleton',
      owner,
      dependencies: knownDependencies(registered),
      instantiated: this.#instances.has(name),
      ...(replaced ? { replaced } : {}),
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
    if (registered === undefined) throw this.#unknownBean([...this.#path, name]);
    const { definition } = registered;
    if (isSingleton(definition))
      // Without the request: a singleton outlives it, so it may not depend on a bean of that scope.
      return this.#once(this.#instances, name, registered, () => definition.create(this.#beansFor(registered)));
    if (request === undefined) {
      const path = [...this.#path, name].join(' -> ');
      const sentence = `The bean ${path} is of ${definition.scope} scope and can only be had within a request; ask for it with the request at hand.`;
      throw hostError('JIG_BEAN_NEEDS_REQUEST', sentence, { fields: { path } });
    }
    const create = () => definition.create(this.#beansFor(registered, request), request);
    return this.#once(this.#instancesOf(request), name, registered, create);
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

  /** Creates the bean on first use. An error names the bean and the path to it. */
  #once(instances: Map<string, unknown>, name: string, registered: Registered, create: () => unknown): unknown {
    if (instances.has(name)) return instances.get(name);
    this.#refuseCycle(name);
    this.#path.push(name);
    try {
      registered.wasCreated = true;
      const bean = create();
      instances.set(name, bean);
      recordType(registered, bean);
      return bean;
    } catch (error) {
      if (this.#sealed || hasJigCode(error)) throw error;
      const sentence = `The bean ${this.#path.join(' -> ')} could not be made: ${errorMessage(error)}`;
      throw hostError('JIG_BEAN_CREATE_FAILED', sentence, { cause: error, fields: { bean: name } });
    } finally {
      this.#path.pop();
    }
  }

  #refuseCycle(name: string): void {
    if (!this.#path.includes(name)) return;
    const path = [...this.#path, name].join(' -> ');
    const sentence = `The beans need each other in a circle: ${path}; let one of them ask for the other later.`;
    throw hostError('JIG_BEAN_CYCLE', sentence, { fields: { path } });
  }

  #instancesOf(request: FastifyRequest): Map<string, unknown> {
    const instances = this.#requestInstances.get(request) ?? new Map<string, unknown>();
    this.#requestInstances.set(request, instances);
    return instances;
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

  /** @param path the beans that need each other, the unknown one last */
  #unknownBean(path: readonly string[]) {
    const shown = path.join(' -> ');
    const sentence = `There is no bean ${shown}, ${this.whyMissing(path.at(-1) ?? '')}`;
    return hostError('JIG_BEAN_UNKNOWN', sentence, { fields: { path: shown } });
  }

  /** Why a bean is missing and what to do, to end a sentence with. */
  whyMissing(name: string): string {
    const off = this.#off.get(name);
    if (off !== undefined) return `since ${off}; turn it on, or leave out what needs it.`;
    const nearest = nearestName(name, this.names());
    const hint =
      nearest === undefined ? 'include the part that defines it, or correct the name.' : `did you mean ${nearest}?`;
    return `which no part defines; ${hint}`;
  }
}

/** Read when the bean is created, since inspection must not run code of the bean. */
function recordType(registered: Registered, bean: unknown): void {
  const { definition } = registered;
  if (definition.type !== undefined) return;
  if (bean instanceof Promise && !isSingleton(definition)) {
    bean.then(
      (created) => recordType(registered, created),
      () => {},
    );
  } else registered.type = typeName(bean);
}
