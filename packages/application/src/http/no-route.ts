import { Problem } from '@jig/http/problem';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AllowedMethods } from './allowed-methods.ts';
import { answer, sendProblem } from './problem.ts';

/** Answers requests that no route takes: 404 for an unknown address, 405 for a known one. */
export class NoRoute {
  readonly #allowedMethods: AllowedMethods;
  #isUsed = false;

  constructor(allowedMethods: AllowedMethods) {
    this.#allowedMethods = allowedMethods;
  }

  /** False when a plugin has a not-found handler of its own for the whole application. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** To be called after the plugins of the application, whose own handler goes first: Fastify takes only one. */
  handleOn(server: FastifyInstance): void {
    try {
      server.setNotFoundHandler((request, reply) => this.answer(request, reply));
      this.#isUsed = true;
    } catch {
      this.#isUsed = false;
    }
  }

  answer({ url, method }: FastifyRequest, reply: FastifyReply): FastifyReply {
    const allowed = this.#allowedMethods.methodsOf(url);
    const isUnknown = allowed.length === 0 || allowed.includes(method);
    return sendProblem(reply, isUnknown ? new Problem(404) : wrongMethod(allowed));
  }
}

function wrongMethod(allowed: readonly string[]): Problem {
  const methods = allowed.join(', ');
  return new Problem(405, { detail: `This address takes only ${methods}.`, headers: { allow: methods } });
}

/** All errors end here, unless a plugin has an error handler of its own. */
export function handleProblems(server: FastifyInstance, noRoute: NoRoute): void {
  server.setErrorHandler((error: { readonly code?: unknown } | null, request, reply) =>
    request.is404 && isBodyError(error) ? noRoute.answer(request, reply) : answer(error, request, reply),
  );
}

/** Fastify reads the body even where there is no route. */
function isBodyError(error: { readonly code?: unknown } | null): boolean {
  const code = String(error?.code);
  return code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE' || code.startsWith('FST_ERR_CTP_');
}
