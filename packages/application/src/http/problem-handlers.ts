import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KnownPaths } from './known-paths.ts';
import { formatProblem, Problem } from './problem.ts';
import { problemOf } from './problem-of.ts';
import { securityHeaders } from './security-headers.ts';

/** Answers with a problem, however it came about. Bytes rather than text, to which Fastify would add a charset that the media type does not have. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const { type, body } = formatProblem(problem);
  if (problem.reason !== undefined) reply.raw.statusMessage = problem.reason;
  return reply
    .code(problem.status)
    .headers({ ...securityHeaders, ...problem.headers, 'cache-control': 'no-store' })
    .type(type)
    .send(Buffer.from(body));
}

/** Fastify's ways of failing all end here. */
export function handleProblems(server: FastifyInstance, knownPaths: KnownPaths): void {
  server.setErrorHandler((error, request, reply) => answer(error, request, reply));
  server.setNotFoundHandler((request, reply) => {
    const allowed = knownPaths.methodsOf(request.url);
    const isUnknown = allowed.length === 0 || allowed.includes(request.method);
    return sendProblem(
      reply,
      isUnknown ? new Problem(404) : new Problem(405, { headers: { allow: allowed.join(', ') } }),
    );
  });
}

export function answer(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error);
  if (problem.status >= 500) request.log.error({ err: error }, `${request.method} failed: ${problem.detail}`);
  return sendProblem(reply, problem);
}
