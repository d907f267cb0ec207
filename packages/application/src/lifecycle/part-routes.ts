import type { FastifyInstance, FastifyPluginAsync, FastifyPluginCallback } from 'fastify';
import { attempt, type Part, unusable } from '../add-ons/part.ts';
import { errorMessage, hasJigCode } from '../errors.ts';

/** Fastify's own mark of a plugin that shares the instance it is registered on. */
const skipOverride = Symbol.for('skip-override');

/** Registers the plugins of the parts one after the other, and finds the part that an error of Fastify comes from. */
export class PartRoutes {
  readonly #server: FastifyInstance;
  readonly #owners: { readonly route: string; readonly part: Part }[] = [];
  /** The part whose plugin is being registered. */
  #registering: Part | undefined;
  /** The part whose `onReady` hooks ran last. */
  #starting: Part | undefined;

  constructor(server: FastifyInstance) {
    this.#server = server;
    server.addHook('onRoute', ({ method, url }) => {
      const part = this.#registering;
      if (part === undefined) return;
      for (const one of [method].flat()) this.#owners.push({ route: `${one}:${url}`, part });
    });
  }

  async register(part: Part, plugin: FastifyPluginCallback): Promise<void> {
    // Around the plugin, so that its own function stays as it is, whether it takes a callback or not.
    const around: FastifyPluginAsync = async (scope) => {
      scope.addHook('onReady', async () => {
        this.#starting = part;
      });
      await scope.register(plugin);
    };
    Object.assign(around, { [skipOverride]: Reflect.get(plugin, skipOverride) === true });
    this.#registering = part;
    await attempt(part, 'could not register its routes', async () => {
      try {
        await withEscapedErrors(async () => this.#server.register(around));
      } catch (error) {
        throw this.#explained(error);
      }
    });
    this.#registering = undefined;
  }

  /** Compiles the schemas and runs the `onReady` hooks. */
  async ready(): Promise<void> {
    try {
      await this.#server.ready();
    } catch (error) {
      const part = this.#ownerNamedIn(errorMessage(error)) ?? this.#starting;
      if (part === undefined || hasJigCode(error)) throw error;
      throw unusable(part, `could not prepare its routes: ${errorMessage(error)}`, error);
    }
  }

  /** Fastify names the method and the path of a route in its errors. */
  #ownerNamedIn(message: string): Part | undefined {
    const compact = message.replaceAll(': ', ':');
    const named = this.#owners.filter(({ route }) => compact.includes(route));
    return named.sort((one, other) => other.route.length - one.route.length)[0]?.part;
  }

  #explained(error: unknown): unknown {
    const { code } = (error ?? {}) as { readonly code?: unknown };
    const message = errorMessage(error);
    if (code === 'FST_ERR_DEC_ALREADY_PRESENT' && /'session'/.test(message)) {
      const sentence =
        'Jig has sessions of its own, so use request.session without @fastify/session or a similar plugin';
      return new Error(sentence, { cause: error });
    }
    const [, method, path] = /^Method '([A-Z]+)' already declared for route '(.*?)'/.exec(message) ?? [];
    const taken = this.#owners.find(({ route }) => route === `${method}:${path}`)?.part;
    if (taken === undefined) return error;
    return new Error(`${method} ${path} is already a route of the ${taken.kind} ${taken.name}`, { cause: error });
  }
}

/** What a plugin with a callback throws escapes Fastify, and would end the process with a stack. */
async function withEscapedErrors(step: () => Promise<unknown>): Promise<void> {
  const { promise, reject } = rejection();
  process.once('uncaughtException', reject);
  try {
    await Promise.race([step(), promise]);
  } finally {
    process.off('uncaughtException', reject);
  }
}

function rejection(): { readonly promise: Promise<never>; readonly reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<never>((_resolve, rejectPromise) => {
    reject = rejectPromise;
  });
  return { promise, reject };
}
