import { type AwilixContainer, asFunction, asValue, createContainer, Lifetime } from 'awilix/browser';
import type { FastifyRequest } from 'fastify';
import { errorMessage, hasJigCode, hostError } from '../errors.ts';
import type {
  BeanDefinition,
  BeanDescription,
  BeanSource,
  Beans,
  ScopedDefinition,
  SingletonDefinition,
} from './bean-definition.ts';
import { checkDefinition } from './bean-definition.ts';

interface Registered {
  readonly owner: string;
  readonly definition: BeanDefinition<unknown>;
  readonly dependencies: Set<string>;
}

/** Awilix treats `constructor`, `toString` and `__proto__` specially; with a prefix any name is safe. */
const registrationName = (name: string) => `bean:${name}`;

const isSingleton = <Bean>(definition: BeanDefinition<Bean>): definition is SingletonDefinition<Bean> =>
  definition.scope === undefined || definition.scope === 'singleton';

/** The application's beans by name: an Awilix container, and what Awilix does not record of them. */
export class BeanRegistry implements BeanSource {
  readonly #container: AwilixContainer = createContainer({ injectionMode: 'PROXY', strict: true });
  readonly #registered = new Map<string, Registered>();
  /** The beans that are left out, each with the excluded bean that is the reason: itself, or one that it needs. */
  readonly #leftOut: Map<string, string>;
  /** Excluded names that no part has defined so far. */
  readonly #neverDefined: Set<string>;
  readonly #requestScopes = new WeakMap<FastifyRequest, AwilixContainer>();
  /** The singletons in the order of creation: each after those it depends on. */
  readonly #instances = new Map<string, unknown>();
  /** The beans being created right now, outermost first. */
  readonly #path: string[] = [];
  #sealed = false;

  /** Excluded beans are left out, whichever part defines them. */
  constructor(excluded: Iterable<string> = []) {
    this.#leftOut = new Map([...excluded].map((name) => [name, name]));
    this.#neverDefined = new Set(this.#leftOut.keys());
  }

  define<Bean>(owner: string, name: string, definition: BeanDefinition<Bean>): void {
    checkDefinition(owner, name, definition);
    this.#neverDefined.delete(name);
    const excluded = [name, ...(definition.needs ?? [])].find((needed) => this.#leftOut.has(needed));
    if (excluded !== undefined) return void this.#leftOut.set(name, this.#leftOut.get(excluded) ?? excluded);
    const earlier = this.#registered.get(name);
    if (earlier !== undefined) {
      const sentence = `The bean ${name} is defined by both ${earlier.owner} and ${owner}; rename one of them, or leave one of these parts out.`;
      throw hostError('JIG_BEAN_DEFINED_TWICE', sentence);
    }
    if (this.#sealed) {
      const sentence = `${owner} defines the bean ${name} after the application has started; beans are defined in register.`;
      throw hostError('JIG_BEANS_SEALED', sentence);
    }
    this.#registered.set(name, { owner, definition: definition as BeanDefinition<unknown>, dependencies: new Set() });
    const make = isSingleton(definition)
      ? asFunction(() => this.#createSingleton(name, definition), { lifetime: Lifetime.SINGLETON })
      : asFunction(({ request }: { request: FastifyRequest }) => this.#createScoped(name, definition, request), {
          lifetime: Lifetime.SCOPED,
        });
    this.#container.register(registrationName(name), make);
  }

  /** From here on no bean can be defined: it would never be started. */
  seal(): void {
    this.#sealed = true;
  }

  /** Whether it is left out because it is excluded, or a bean that it needs is. */
  isLeftOut(name: string): boolean {
    return this.#leftOut.has(name);
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
    if (unknown === -1) return;
    throw unknownBean(path.slice(0, unknown + 1).join(' -> '), this.#leftOut.get(path[unknown] ?? ''));
  }

  describe(name: string): BeanDescription | undefined {
    const registered = this.#registered.get(name);
    if (registered === undefined) return undefined;
    const { owner, definition, dependencies } = registered;
    return {
      name,
      type: definition.type,
      scope: definition.scope ?? 'singleton',
      owner,
      dependencies: [...dependencies].sort(),
      instantiated: this.#instances.has(name),
    };
  }

  peek(name: string): unknown {
    return this.#instances.get(name);
  }

  async get(name: string, request?: FastifyRequest): Promise<unknown> {
    return this.resolve(name, request);
  }

  /** As `get`, but synchronous; a bean of request or session scope may be a promise. */
  resolve(name: string, request?: FastifyRequest): unknown {
    const registered = this.#registered.get(name);
    const path = [...this.#path, name].join(' -> ');
    if (registered === undefined) throw unknownBean(path, this.#leftOut.get(name));
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
    return bean;
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
    return this.#within(name, () => definition.create(this.#beansFor(name, request), request));
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
    const dependencies = this.#registered.get(name)?.dependencies;
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
}

function unknownBean(path: string, excluded: string | undefined) {
  const sentence =
    excluded === undefined
      ? `There is no bean ${path}; include the part that defines it, or correct the name.`
      : `There is no bean ${path}, since the setting beans.exclude names ${excluded}; take it out of that list.`;
  return hostError('JIG_BEAN_UNKNOWN', sentence, { fields: { path } });
}
