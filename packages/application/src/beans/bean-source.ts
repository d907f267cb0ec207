import type { FastifyRequest } from 'fastify';

/** How long one instance of a bean lives. A session bean is made per request, from the caller's own session. */
export type BeanScope = 'singleton' | 'request' | 'session';

export interface BeanDescription {
  readonly name: string;
  readonly type: string;
  readonly scope: BeanScope;
  /** The package that defined the bean. */
  readonly owner: string;
  /** The beans it asked for while it was made; empty as long as it is not instantiated. */
  readonly dependencies: readonly string[];
  readonly instantiated: boolean;
}

/** Where beans are looked up by name. Whoever inspects beans sees nothing else of the container behind it. */
export interface BeanSource {
  names(): readonly string[];
  describe(name: string): BeanDescription | undefined;
  /** The instance if there is one; never makes one. */
  peek(name: string): unknown;
  /** The bean, made if need be. A bean of request or session scope needs the request. */
  get(name: string, request?: FastifyRequest): Promise<unknown>;
}
