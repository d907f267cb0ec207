import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorMessage } from '../errors.ts';
import type { AllowedMethods } from './allowed-methods.ts';
import { preferredMediaType } from './negotiation.ts';
import { pathOf } from './path-of.ts';
import { plainPagePolicy } from './plain-page.ts';
import { formatProblem, Problem, type ProblemForm, problemTypes } from './problem.ts';
import { toProblem } from './problem-of.ts';
import { addMissingHeaders, securityHeaders } from './security-headers.ts';

/** Answers with a problem, however it came about. Bytes rather than text, to which Fastify would add a charset that the media type does not have. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const form = problem.form ?? formInPath(reply.request) ?? (prefersPage(reply.request) ? 'html' : 'json');
  const { type, body } = formatProblem(problem, form);
  const policy = form === 'html' ? { 'content-security-policy': plainPagePolicy } : {};
  if (problem.reason !== undefined) reply.raw.statusMessage = problem.reason;
  // A request that Fastify itself refuses passes no hook that would add them.
  addMissingHeaders(reply, securityHeaders);
  return reply
    .code(problem.status)
    .headers({ ...policy, ...problem.headers, 'cache-control': 'no-store' })
    .type(type)
    .send(Buffer.from(body));
}

/** An address that ends in a form is asked for by those who want that form, browsers too. */
function formInPath({ url }: FastifyRequest): ProblemForm | undefined {
  const file = pathOf(url).replace(/\/$/, '');
  return (['json', 'xml'] as const).find((form) => file.endsWith(`.${form}`));
}

/** Browsers prefer pages to everything else; programs name something else, or take anything. */
const prefersPage = ({ headers }: FastifyRequest) =>
  preferredMediaType(headers.accept, problemTypeNames) === 'text/html';

const problemTypeNames = ['application/json', problemTypes.json, problemTypes.html];

export type NoRouteHandler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Says that there is no such address, or that it takes other methods. */
export const noRouteHandler =
  (allowedMethods: AllowedMethods): NoRouteHandler =>
  ({ url, method }, reply) => {
    const allowed = allowedMethods.methodsOf(url);
    const isUnknown = allowed.length === 0 || allowed.includes(method);
    return sendProblem(reply, isUnknown ? new Problem(404) : wrongMethod(allowed));
  };

/** Fastify's ways of failing all end here. */
export function handleProblems(server: FastifyInstance, answerNoRoute: NoRouteHandler): void {
  server.setErrorHandler((error: { readonly code?: string } | null, request, reply) =>
    request.is404 && contentTypeErrors.has(error?.code ?? '')
      ? answerNoRoute(request, reply)
      : answer(error, request, reply),
  );
  server.setNotFoundHandler(answerNoRoute);
}

/** How Fastify fails on the content type, which it looks at also where there is no route that could mind it. */
const contentTypeErrors = new Set(['FST_ERR_ROUTE_MISSING_CONTENT_TYPE', 'FST_ERR_CTP_INVALID_MEDIA_TYPE']);

function wrongMethod(allowed: readonly string[]): Problem {
  const methods = allowed.join(', ');
  return new Problem(405, { detail: `This address takes only ${methods}.`, headers: { allow: methods } });
}

export function answer(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // A request that broke off while it was read is the client's doing, and nobody is left to answer.
  const isCutOff = error !== null && error === request.raw.errored;
  const problem = isCutOff ? new Problem(400) : toProblem(error);
  if (problem.status >= 500) logFailure(request, problem, error);
  return sendProblem(reply, problem);
}

/** A part that is down says so once by itself; a line for each request would bury that. */
function logFailure({ log, method, routeOptions }: FastifyRequest, { status, detail }: Problem, error: unknown): void {
  const level = status === 500 ? 'error' : 'debug';
  // The route as it was written, not the address that was asked for, which could hold anything.
  const what = `${method} ${routeOptions.url ?? 'of an unknown address'} failed`;
  try {
    log[level]({ err: error }, `${what}: ${status === 500 ? errorMessage(error) : detail}`);
  } catch {
    log[level](`${what}, and what was thrown cannot be looked at`);
  }
}
