import { pathOf } from '@jig/http';
import { Problem } from '@jig/http/problem';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { sendProblem } from './problem.ts';

type Router = ReturnType<typeof findMyWay>;

interface Route {
  readonly method: HTTPMethod;
  readonly path: string;
}

/** Which methods an address allows. Used only when Fastify found no route, to tell a wrong method (405) from an unknown address (404). */
export class AllowedMethods {
  readonly #router: Router;
  /** Routes for any address: a match does not mean that the address exists. */
  readonly #catchAlls: Router;
  readonly #routes: Route[] = [];

  /** @param maxParamLength as for the router of the server */
  constructor(maxParamLength: number) {
    this.#router = findMyWay({ ignoreTrailingSlash: true, maxParamLength });
    this.#catchAlls = findMyWay({ ignoreTrailingSlash: true, maxParamLength });
  }

  /** Records every route that is registered from here on. */
  watch(server: FastifyInstance): void {
    server.addHook('onRoute', ({ method: given, url: path }) => {
      for (const method of [given].flat() as HTTPMethod[]) {
        if (this.#routes.some((route) => route.method === method && route.path === path)) continue;
        this.#routes.push({ method, path });
        const router = isCatchAll(method, path) ? this.#catchAlls : this.#router;
        router.on(method, path, () => {});
      }
    });
  }

  get routes(): readonly Route[] {
    return this.#routes;
  }

  /** Whether a route answers GET at every address that has no route of its own, such as `/`. */
  get hasFallback(): boolean {
    return finds(this.#catchAlls, 'GET', '/');
  }

  /** Empty for an unknown address. Includes `OPTIONS` where a plugin answers it for every address. */
  methodsOf(url: string): readonly string[] {
    const path = pathOf(url);
    const known = new Set(this.#routes.map(({ method }) => method));
    const methods = [...known].filter((method) => finds(this.#router, method, path));
    if (methods.length > 0 && !methods.includes('OPTIONS') && finds(this.#catchAlls, 'OPTIONS', path))
      methods.push('OPTIONS');
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

/**
 * Answers requests that no route takes: 404 for an unknown address, 405 for a known one. To be called after the plugins of the
 * application: Fastify takes only one handler, and one of theirs goes first.
 */
export function handleNotFound(server: FastifyInstance, allowedMethods: AllowedMethods): void {
  const answer = ({ url, method }: FastifyRequest, reply: FastifyReply) => {
    const allowed = allowedMethods.methodsOf(url);
    const isUnknown = allowed.length === 0 || allowed.includes(method);
    return sendProblem(reply, isUnknown ? new Problem(404) : wrongMethod(allowed.join(', ')));
  };
  try {
    server.setNotFoundHandler(answer);
  } catch {
    // A plugin has set one for the whole application.
  }
}

const wrongMethod = (allow: string) =>
  new Problem(405, { detail: `This address takes only ${allow}.`, headers: { allow } });
