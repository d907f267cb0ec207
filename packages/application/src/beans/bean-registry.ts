import { typeName } from '@jig/inspect/internal';
import { type AwilixContainer, asFunction, asValue, createContainer, Lifetime } from 'awilix/browser';
import type { FastifyRequest } from 'fastify';
import { nearestName } from '../configuration/load-configuration.ts';
import { errorMessage, hasJigCode, hostError } from '../errors.ts';
import type {
  BeanDefinition,
  BeanDescription,
  BeanName,
  BeanSource,
  Beans,
  BeanTypes,
  ScopedDefinition,
  SingletonDefinition,
} from './bean-definition.ts';
import { checkDefinition } from './bean-definition.ts';

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

/** Which beans are left out or replaced, whichever part defines them. */
interface RegistryOptions {
  readonly excluded?: Iterable<string>;
  readonly replacements?: ReadonlyMap<string, unknown>;
}

/** Awilix treats `constructor`, `toString` and `__proto__` specially; with a prefix any name is safe. */
const registrationName = (name: string) => `bean:${name}`;

const isSingleton = <Bean>(definition: BeanDefinition<Bean>): definition is SingletonDefinition<Bean> =>
  definition.scope === undefined || definition.scope === 'singleton';

/** A `create` without parameters cannot read any bean. */
function knownDependencies({ definition, dependencies, wasCreated }: Registered): BeanDescription['dependencies'] {
  const { needs } = definition;
  if (needs === undefined && !wasCreated && definition.create.length > 0) return 'unknown';
  return [...new Set([...(needs ?? []), ...dependencies])].sort();
}

/** The application's beans by name: an Awilix container, and what Awilix does not record of them. */
export class BeanRegistry implements BeanSource {
  readonly #container: AwilixContainer = createContainer({ injectionMode: 'PROXY', strict: true });
  readonly #registered = new Map<string, Registered>();
  /** The beans that are left out, each with the reason: half a sentence that says what to do. */
  readonly #leftOut: Map<string, string>;
  /** Excluded names that no part has defined so far. */
  readonly #neverDefined: Set<string>;
  readonly #replacements: ReadonlyMap<string, unknown>;
  readonly #requestScopes = new WeakMap<FastifyRequest, AwilixContainer>();
  /** The singletons in the order of creation: each after those it depends on. */
  readonly #instances = new Map<string, unknown>();
  /** The beans being created right now, outermost first. */
  readonly #path: string[] = [];
  #sealed = false;

  constructor({ excluded = [], replacements = new Map() }: RegistryOptions = {}) {
    this.#leftOut = new Map([...excluded].map((name) => [name, exclusion(name)]));
    this.#neverDefined = new Set(this.#leftOut.keys());
    this.#replacements = replacements;
  }

  define<Bean>(owner: string, name: string, given: BeanDefinition<Bean>): void {
    checkDefinition(owner, name, given);
    this.#neverDefined.delete(name);
    if (this.#leftOut.has(name)) return;
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
    const { definition } = bean;
    this.#registered.set(name, { ...bean, dependencies: new Set(), wasCreated: false, type: undefined });
    const make = isSingleton(definition)
      ? asFunction(() => this.#createSingleton(name, definition), { lifetime: Lifetime.SINGLETON })
      : asFunction(({ request }: { request: FastifyRequest }) => this.#createScoped(name, definition, request), {
          lifetime: Lifetime.SCOPED,
        });
    this.#container.register(registrationName(name), make);
  }

  /** Replacements that no part defines are beans too: what is replaced may come with an add-on that is not there. */
  defineOtherReplacements(owner: string): void {
    for (const [name, bean] of this.#replacements) {
      if (!this.has(name)) this.#register(name, { owner, definition: { create: () => bean }, replaced: true });
    }
  }

  /** Leaves out the beans of a part, except those that are replaced. */
  leaveOutBeansOf(owner: string, because: string): void {
    for (const [name, bean] of this.#registered) {
      if (bean.owner !== owner || bean.replaced) continue;
      this.#registered.delete(name);
      this.#leftOut.set(name, because);
    }
  }

  /** Says that these beans are not there, as of an add-on that is off. */
  leaveOut(names: Iterable<string>, because: string): void {
    for (const name of names) this.#leftOut.set(name, because);
  }

  /** From here on no bean can be defined: it would never be started. */
  seal(): void {
    this.#sealed = true;
  }

  /** Why it is left out; undefined if it is not. */
  whyLeftOut(name: string): string | undefined {
    return this.has(name) ? undefined : this.#leftOut.get(name);
  }

  /** Excluded names that no part defines, perhaps misspelt. */
  get unknownExclusions(): readonly string[] {
    return [...this.#neverDefined];
  }

  names(): readonly string[] {
    return [...this.#registered.keys()].sort();
  }

  has(name: string): boolean {
    return this.#registered.has(name);
  }

  /** Throws unless all of them are defined; each needs the next, which the message shows. */
  checkDefined(...path: readonly string[]): void {
    const unknown = path.findIndex((name) => !this.has(name));
    if (unknown !== -1) throw this.#unknownBean(path.slice(0, unknown + 1));
  }

  describe(name: string): BeanDescription | undefined {
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
    const path = [...this.#path, name].join(' -> ');
    if (this.#path.includes(name)) {
      throw hostError(
        'JIG_BEAN_CYCLE',
        `The beans need each other in a circle: ${path}; let one of them ask for the other later.`,
        { fields: { path } },
      );
    }
    if (isSingleton(registered.definition)) return this.#container.resolve(registrationName(name));
    if (request === undefined) {
      const sentence = `The bean ${path} is of ${registered.definition.scope} scope and can only be had within a request; ask for it with the request at hand.`;
      throw hostError('JIG_BEAN_NEEDS_REQUEST', sentence, { fields: { path } });
    }
    return this.#scopeOf(request).resolve(registrationName(name));
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

  #createSingleton<Bean>(name: string, definition: SingletonDefinition<Bean>): Bean {
    const bean = this.#within(name, () => this.#make(name, definition));
    this.#instances.set(name, bean);
    this.#recordType(name, bean);
    return bean;
  }

  /** Here and not when it is looked at, since looking must not run any code of the bean. */
  #recordType(name: string, bean: unknown): void {
    const registered = this.#registered.get(name);
    if (registered !== undefined && registered.definition.type === undefined) registered.type = typeName(bean);
  }

  /** Names the bean and the path to it in an error that fails the start; an error with a code is passed on as it is. */
  #make<Bean>(name: string, definition: SingletonDefinition<Bean>): Bean {
    try {
      return definition.create(this.#beansFor(name));
    } catch (error) {
      if (this.#sealed || hasJigCode(error)) throw error;
      const sentence = `The bean ${this.#path.join(' -> ')} could not be made: ${errorMessage(error)}`;
      throw hostError('JIG_BEAN_CREATE_FAILED', sentence, { cause: error, fields: { bean: name } });
    }
  }

  #createScoped<Bean>(name: string, definition: ScopedDefinition<Bean>, request: FastifyRequest): Bean | Promise<Bean> {
    const bean = this.#within(name, () => definition.create(this.#beansFor(name, request), request));
    if (bean instanceof Promise) {
      bean.then(
        (created) => this.#recordType(name, created),
        () => {},
      );
    } else this.#recordType(name, bean);
    return bean;
  }

  #within<Result>(name: string, make: () => Result): Result {
    this.#path.push(name);
    try {
      return make();
    } finally {
      this.#path.pop();
    }
  }

  /** The other beans as one of them sees them; whatever it reads becomes its dependency. */
  #beansFor(name: string, request?: FastifyRequest): Beans {
    const registered = this.#registered.get(name);
    if (registered !== undefined) registered.wasCreated = true;
    const dependencies = registered?.dependencies;
    return new Proxy({} as Beans, {
      get: (_, dependency) => {
        if (typeof dependency === 'symbol') return undefined;
        dependencies?.add(dependency);
        return this.resolve(dependency, request);
      },
    });
  }

  #scopeOf(request: FastifyRequest): AwilixContainer {
    let scope = this.#requestScopes.get(request);
    if (scope === undefined) {
      scope = this.#container.createScope();
      scope.register('request', asValue(request));
      this.#requestScopes.set(request, scope);
    }
    return scope;
  }

  /** @param path the beans that need each other, the unknown one last */
  #unknownBean(path: readonly string[]) {
    const name = path.at(-1) ?? '';
    const because = this.#leftOut.get(name);
    const shown = path.join(' -> ');
    const sentence =
      because === undefined
        ? `There is no bean ${shown}; ${this.didYouMean(name) ?? 'include the part that defines it, or correct the name.'}`
        : `There is no bean ${shown}, since ${because}.`;
    return hostError('JIG_BEAN_UNKNOWN', sentence, { fields: { path: shown } });
  }

  /** A question that names the bean whose name comes nearest, if one comes near. */
  didYouMean(name: string): string | undefined {
    const nearest = nearestName(name, this.names());
    return nearest === undefined ? undefined : `did you mean ${nearest}?`;
  }
}

const exclusion = (name: string) => `the setting beans.exclude names ${name}; take it out of that list`;
