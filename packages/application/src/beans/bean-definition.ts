import type { FastifyRequest } from 'fastify';
import type { BeanScope } from './bean-source.ts';

/**
 * The beans known by name and type. Packages add theirs by declaration merging:
 * `declare module '@jig/application' { interface BeanTypes { clock: Clock } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging.
export interface BeanTypes {}

/** Beans by name, as a bean's factory sees them: what it reads here becomes its dependency. */
export type Beans = { readonly [Name in keyof BeanTypes]: BeanTypes[Name] } & { readonly [name: string]: unknown };

export interface SingletonDefinition<Bean> {
  /** The name of the bean's class, for those who look at it from outside. */
  readonly type: string;
  readonly scope?: 'singleton';
  /** Beans, defined before it, with which it is left out when the setting `beans.exclude` leaves them out. */
  readonly needs?: readonly string[];
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
  readonly type: string;
  readonly scope: Exclude<BeanScope, 'singleton'>;
  readonly needs?: readonly string[];
  create(beans: Beans, request: FastifyRequest): Bean | Promise<Bean>;
}

export type BeanDefinition<Bean> = SingletonDefinition<Bean> | ScopedDefinition<Bean>;
