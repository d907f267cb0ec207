import { pathOf } from '@jig/http';
import type { FastifyInstance } from 'fastify';
import type { HTTPMethod } from 'find-my-way';
import { findMyWay } from '../commonjs-dependencies.ts';

type Router = ReturnType<typeof findMyWay>;

/** Which methods an address allows. Used only when the router found nothing, to tell a wrong method (405) from an unknown address (404). */
export class AllowedMethods {
  readonly #router: Router;
  /** Routes for any address: a match does not mean that the address exists. */
  readonly #catchAlls: Router;
  /** Routes that the router does not have yet: it gets them when it is first asked, since a start does without. */
  readonly #waiting: { readonly method: HTTPMethod; readonly path: string }[] = [];
  readonly #methods = new Set<HTTPMethod>();
  readonly #routes: { readonly method: string; readonly path: string }[] = [];

  /** @param maxParamLength as for the router of the server */
  constructor(maxParamLength: number) {
    this.#router = findMyWay({ ignoreTrailingSlash: true, maxParamLength });
    this.#catchAlls = findMyWay({ ignoreTrailingSlash: true, maxParamLength });
  }

  /** Records every route that is registered from here on. */
  watch(server: FastifyInstance): void {
    server.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat() as HTTPMethod[]) {
        if (this.#routes.some((route) => route.method === one && route.path === url)) continue;
        this.#routes.push({ method: one, path: url });
        this.#methods.add(one);
        if (isCatchAll(one, url)) this.#catchAlls.on(one, url, () => {});
        else this.#waiting.push({ method: one, path: url });
      }
    });
  }

  get routes(): readonly { readonly method: string; readonly path: string }[] {
    return this.#routes;
  }

  /** Whether a route answers GET at every address that has no route of its own, such as `/`. */
  get hasFallback(): boolean {
    return finds(this.#catchAlls, 'GET', '/');
  }

  /** Empty for an unknown address. Includes `OPTIONS` where a plugin answers it for every address. */
  methodsOf(url: string): readonly string[] {
    for (const { method, path } of this.#waiting.splice(0)) this.#router.on(method, path, () => {});
    const path = pathOf(url);
    const methods = [...this.#methods].filter((method) => finds(this.#router, method, path));
    if (methods.length === 0) return methods;
    if (finds(this.#catchAlls, 'OPTIONS', path) && !methods.includes('OPTIONS')) methods.push('OPTIONS');
    return methods.sort();
  }
}

/** A preflight handler (`OPTIONS *`, also below a prefix), or a fallback for all other addresses (`GET /*`). */
function isCatchAll(method: HTTPMethod, url: string): boolean {
  return url === '*' || url === '/*' || (method === 'OPTIONS' && url.endsWith('*'));
}

function finds(router: Router, method: HTTPMethod, path: string): boolean {
  try {
    return router.find(method, path) !== null;
  } catch {
    return false;
  }
}
