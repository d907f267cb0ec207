import type { FastifyRequest } from 'fastify';

/** How long one instance of a bean lives. A session bean is created for each request, from the session of the caller. */
export type BeanScope = 'singleton' | 'request' | 'session';

export interface DefinedBean {
  readonly name: string;
  readonly type: string;
  readonly scope: BeanScope;
  /** The package that defined the bean. */
  readonly owner: string;
  /** The beans in its `needs`, and those that its `create` has read; `unknown` before that, where it declares none. */
  readonly dependencies: readonly string[] | 'unknown';
  readonly instantiated: boolean;
  /** Whether a test has replaced it by a fake. */
  readonly replaced?: true;
}

/**
 * The beans known by name and type. Packages add theirs by declaration merging:
 * `declare module '@jig/application' { interface BeanTypes { clock: Clock } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging.
export interface BeanTypes {}

/** The names in `BeanTypes`. */
export type BeanName = Extract<keyof BeanTypes, string>;

/** Beans by name. This is all that inspection sees of the container. */
export interface BeanSource {
  names(): readonly string[];
  describe(name: string): DefinedBean | undefined;
  /** The instance if there is one; never creates one. */
  peek<Name extends BeanName>(name: Name): BeanTypes[Name] | undefined;
  peek(name: string): unknown;
  /** The bean, created on first use. A bean of request or session scope needs the request. */
  get<Name extends BeanName>(name: Name, request?: FastifyRequest): Promise<Awaited<BeanTypes[Name]>>;
  get(name: string, request?: FastifyRequest): Promise<unknown>;
}

/** Beans by name, as a bean's factory sees them: what it reads here becomes its dependency. */
export type Beans = { readonly [Name in keyof BeanTypes]: BeanTypes[Name] } & { readonly [name: string]: unknown };

export interface SingletonDefinition<Bean> {
  /** The name of its class, as inspection shows it; that of its constructor by default, once it is created. */
  readonly type?: string;
  /** The names of the beans that its `create` reads, for inspection to show before it is created. */
  readonly needs?: readonly string[];
  readonly scope?: 'singleton';
  create(beans: Beans): Bean;
  /** Runs once before the server listens, after those it depends on; `signal` aborts at the deadline. */
  start?(bean: Bean, signal: AbortSignal): Promise<void> | void;
  /** Runs once when the application stops, before those it depends on. */
  stop?(bean: Bean): Promise<void> | void;
  /** In milliseconds; the application's own deadlines otherwise. */
  readonly startTimeout?: number;
  readonly stopTimeout?: number;
}

export interface ScopedDefinition<Bean> {
  readonly type?: string;
  readonly needs?: readonly string[];
  readonly scope: Exclude<BeanScope, 'singleton'>;
  create(beans: Beans, request: FastifyRequest): Bean | Promise<Bean>;
}

export type BeanDefinition<Bean> = SingletonDefinition<Bean> | ScopedDefinition<Bean>;
