/** How long one instance of a bean lives; `unknown` where the container does not tell. */
export type BeanScope = 'singleton' | 'request' | 'session' | 'transient' | 'unknown';

export interface BeanDescription {
  readonly name: string;
  /** The name of its class or the nearest equivalent; `unknown` if only creating it would tell. */
  readonly type: string;
  readonly scope: BeanScope;
  /** The package, module or container that defines it. */
  readonly owner: string;
  /** The names of the beans it depends on, as far as they are known; `unknown` if the container does not know. */
  readonly dependencies: readonly string[] | 'unknown';
  /** Whether `peek` returns an instance; `unknown` if only creating it would tell, as with a getter. */
  readonly instantiated: boolean | 'unknown';
  /** Whether it stands in for the bean that was defined, as a fake in a test does. */
  readonly replaced?: boolean | undefined;
  /** How it was found, if it was not registered. */
  readonly found?: string | undefined;
  /** Whether a list shows it only to those who ask for all. */
  readonly isMinor?: boolean | undefined;
}

/** An object around a bean, since a promise of a bean with a method `then` would call that method. */
export interface BeanValue {
  readonly value: unknown;
}

/**
 * When a missing bean is created: when it is read, or only explicitly, by a POST. A constructor may do anything, such as connect, register
 * itself, or end the process.
 */
export type BeanCreation = 'onRead' | 'explicit';

/**
 * Where beans come from: a container, or anything else that has components by name.
 * `Context` is what it needs to create beans of request scope, such as the request of a framework.
 */
export interface BeanSource<Context = unknown> {
  /** All beans, each name once, in one pass and in the order to show them. Creates none. */
  describe(): readonly BeanDescription[];
  has(name: string): boolean;
  /** The instance, if there is one. Creates none. */
  peek(name: string): BeanValue | undefined;
  /** Like `peek` for all beans in one pass, for a source whose `peek` gets slower with the number of beans. A bean that cannot be read is left out. */
  peekAll?(): ReadonlyMap<string, BeanValue>;
  /** When its beans are created; `onRead` by default, `explicit` in all sources that are made from a container. */
  readonly create?: BeanCreation;
  /** The bean, created if necessary; a promise in a container is awaited. Asked only for names that it has. */
  get(name: string, context: Context): Promise<BeanValue>;
}
