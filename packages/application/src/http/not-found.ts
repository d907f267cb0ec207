import { pathOf } from '@jig/http';
import { Problem } from '@jig/http/problem';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { sendProblem } from './problem.ts';

interface Route {
  readonly method: HTTPMethod;
  readonly path: string;
}

/** Which methods an address allows. Used only when Fastify found no route, to tell a wrong method (405) from an unknown address (404). */
export class AllowedMethods {
  readonly routes: Route[] = [];
  readonly #maxParamLength: number;
  #router: ReturnType<typeof findMyWay> | undefined;

  /** @param maxParamLength as for the router of the server */
  constructor(maxParamLength: number) {
    this.#maxParamLength = maxParamLength;
  }

  /** Records every route that is registered from here on. */
  watch(server: FastifyInstance): void {
    server.addHook('onRoute', ({ method: given, url: path }) => {
      for (const method of [given].flat() as HTTPMethod[]) this.routes.push({ method, path });
    });
  }

  /** Whether a route answers GET at every address that has no route of its own, such as `/`. */
  get hasFallback(): boolean {
    return this.routes.some((route) => route.method === 'GET' && isCatchAll(route));
  }

  /** Empty for an unknown address. Includes `OPTIONS` where a plugin answers it for every address. */
  methodsOf(url: string): readonly string[] {
    this.#router ??= this.#createRouter();
    const router = this.#router;
    const methods = new Set(this.routes.map(({ method }) => method));
    const found = [...methods].flatMap((method): Route[] => router.find(method, pathOf(url))?.store ?? []);
    if (found.every(isCatchAll)) return [];
    const allowed = found.filter((route) => route.method === 'OPTIONS' || !isCatchAll(route));
    return allowed.map(({ method }) => method).sort();
  }

  /** Created for the first address without a route, since no start needs it. */
  #createRouter() {
    const router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: this.#maxParamLength });
    for (const route of this.routes) {
      const { method, path } = route;
      if (!router.hasRoute(method, path)) router.on(method, path, () => {}, route);
    }
    return router;
  }
}

/** A preflight handler (`OPTIONS *`, also below a prefix), or a fallback for all other addresses (`GET /*`): a match does not mean that the address exists. */
const isCatchAll = ({ method, path }: Route) =>
  path === '*' || path === '/*' || (method === 'OPTIONS' && path.endsWith('*'));

/**
 * Answers requests that no route takes: 404 for an unknown address, 405 for a known one. To be called after the plugins of the
 * application: Fastify takes only one handler, and one of theirs goes first.
 */
export function handleNotFound(server: FastifyInstance, allowedMethods: AllowedMethods): void {
  const sendNotFound = ({ url, method }: FastifyRequest, reply: FastifyReply) => {
    const allowed = allowedMethods.methodsOf(url);
    if (allowed.length === 0 || allowed.includes(method)) return sendProblem(reply, new Problem(404));
    const allow = allowed.join(', ');
    return sendProblem(reply, new Problem(405, { detail: `This address takes only ${allow}.`, headers: { allow } }));
  };
  try {
    server.setNotFoundHandler(sendNotFound);
  } catch {
    // A plugin has set one for the whole application.
  }
}
