import type { FastifyInstance } from 'fastify';
import type { HTTPMethod } from 'find-my-way';
import { findMyWay } from '../commonjs-dependencies.ts';
import { pathOf } from './path-of.ts';

/** Which methods an address takes: asked only when the router found nothing, to tell a wrong method from a wrong address. */
export class KnownPaths {
  readonly #router: ReturnType<typeof findMyWay>;
  readonly #methods = new Set<HTTPMethod>();
  readonly #routes: { readonly method: string; readonly path: string }[] = [];

  /** Takes the same parameters for too long as the router of the server does. */
  constructor(maxParamLength: number) {
    this.#router = findMyWay({ ignoreTrailingSlash: true, maxParamLength });
  }

  /** Learns every route that is registered from here on. */
  watch(server: FastifyInstance): void {
    server.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat() as HTTPMethod[]) {
        if (this.#routes.some((route) => route.method === one && route.path === url)) continue;
        this.#routes.push({ method: one, path: url });
        this.#methods.add(one);
        this.#router.on(one, url, () => {});
      }
    });
  }

  get routes(): readonly { readonly method: string; readonly path: string }[] {
    return this.#routes;
  }

  methodsOf(url: string): readonly string[] {
    const path = pathOf(url);
    return [...this.#methods].filter((method) => this.#finds(method, path)).sort();
  }

  #finds(method: HTTPMethod, path: string): boolean {
    try {
      return this.#router.find(method, path) !== null;
    } catch {
      return false;
    }
  }
}
