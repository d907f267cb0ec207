import { pathOf, preferredMediaType, securityHeaders } from '@jig/http';
import { formatProblem, isErrorStatus, Problem, type ProblemForm, problemTypes } from '@jig/http/problem';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorMessage, hasJigCode } from '../errors.ts';

const retrySoon = { 'retry-after': '2' };

/** Problems by error code, for errors whose own message says nothing more or repeats what the client sent. */
const problemsByCode: Readonly<Record<string, () => Problem>> = {
  JIG_SESSION_STORE_UNAVAILABLE: () =>
    new Problem(503, {
      detail: 'Sessions can be neither read nor stored right now; please try again shortly.',
      headers: retrySoon,
    }),
  JIG_SESSION_TOO_BIG: () =>
    new Problem(413, { detail: 'The session would hold too much, so nothing of this was stored.' }),
  FST_ERR_BAD_URL: () => new Problem(400, { detail: 'The address is malformed.' }),
  FST_ERR_CTP_EMPTY_TYPE: () => new Problem(415, { detail: 'The body needs a content type.' }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Problem(415),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Problem(413),
};

/** The properties of a thrown value that are read. */
interface Thrown {
  readonly code?: unknown;
  readonly statusCode?: unknown;
  readonly status?: unknown;
  readonly message?: unknown;
  readonly headers?: unknown;
  /** Set by http-errors: whether the message may be shown. */
  readonly expose?: unknown;
  /** Set by Fastify: what the schema validator found, and in which part of the request. */
  readonly validation?: readonly { readonly instancePath?: string; readonly message?: string }[];
  readonly validationContext?: string;
}

/** The problem for a thrown value: its own status if it has one from 400 to 599, else that of the reply, else 500. Only messages of 4xx are shown. */
export function toProblem(thrown: unknown, replyStatus = 500): Problem {
  if (thrown instanceof Problem) return thrown;
  const error: Thrown = typeof thrown === 'object' && thrown !== null ? thrown : {};
  if (typeof error.code === 'string' && Object.hasOwn(problemsByCode, error.code)) {
    return problemsByCode[error.code]?.() ?? new Problem(500);
  }
  if (hasJigCode(thrown) && isTemporary(thrown)) return new Problem(503, { headers: retrySoon, cause: thrown });
  const status = [error.statusCode, error.status, replyStatus].find(isErrorStatus) ?? 500;
  const detail = status < 500 && error.expose !== false ? messageOf(error) : {};
  const extensions = status < 500 && Array.isArray(error.validation) ? { errors: validationErrors(error) } : {};
  return new Problem(status, { ...detail, extensions, headers: headersOf(error), cause: thrown });
}

/** The member `errors` of a problem: each mistake with a JSON Pointer (RFC 6901) to its place. */
const validationErrors = ({ validation, validationContext }: Thrown) =>
  validation?.map(({ instancePath, message }) => ({ in: validationContext, pointer: instancePath, message }));

const messageOf = ({ message }: Thrown) => (typeof message === 'string' && message !== '' ? { detail: message } : {});

/** As in Fastify, an error may carry headers for the response. */
function headersOf({ headers }: Thrown): Readonly<Record<string, string>> {
  if (typeof headers !== 'object' || headers === null) return {};
  const entries = Object.entries(headers).filter(([, value]) => ['string', 'number'].includes(typeof value));
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

/** By its property, since packages that do not import the host have error classes of their own. */
function isTemporary(error: Error): boolean {
  return (error as { readonly isTemporary?: unknown }).isTemporary === true;
}

const startPageLink = { title: 'Start page', path: '/', description: 'What there is to open.' };

/** Answers with a problem. The body is a buffer, since Fastify would add a charset to text, which the media type does not have. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const form = problem.form ?? formInPath(reply.request) ?? (prefersHtml(reply.request) ? 'html' : 'json');
  const { headers, body } = formatProblem(problem, form, [startPageLink]);
  if (problem.reason !== undefined) reply.raw.statusMessage = problem.reason;
  // Requests that Fastify itself rejects run no hooks.
  addMissingHeaders(reply, securityHeaders);
  return reply
    .code(problem.status)
    .headers({ 'cache-control': 'no-store', ...headers })
    .send(Buffer.from(body));
}

/** An address that ends in `.json` or `.xml` gets that form, in browsers too. */
function formInPath({ url }: FastifyRequest): ProblemForm | undefined {
  const file = pathOf(url).replace(/\/$/, '');
  return (['json', 'xml'] as const).find((form) => file.endsWith(`.${form}`));
}

/** Browsers prefer HTML; programs accept something else, or anything. */
const prefersHtml = ({ headers }: FastifyRequest) =>
  preferredMediaType(headers.accept, problemTypeNames) === 'text/html';

const problemTypeNames = ['application/json', problemTypes.json, problemTypes.html];

/** Does not replace what a hook or a route has set. */
export function addMissingHeaders(reply: FastifyReply, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) if (!reply.hasHeader(name)) reply.header(name, value);
}

/** Handles all errors, unless a plugin has its own error handler. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toProblem(error, reply.statusCode);
  if (problem.status >= 500) logFailure(request, problem, error);
  return sendProblem(reply, problem);
}

/** Only unexpected errors are logged as errors. A part that is down logs that once; a line for each request would bury it. */
function levelOf({ status }: Problem, error: unknown): 'error' | 'warn' | 'debug' {
  if (status === 500) return 'error';
  return error instanceof Problem || hasJigCode(error) ? 'debug' : 'warn';
}

function logFailure({ log, method, routeOptions }: FastifyRequest, problem: Problem, error: unknown): void {
  const level = levelOf(problem, error);
  // The route, not the address of the request, which could hold anything.
  const what = `${method} ${routeOptions.url ?? 'of an unknown address'} failed`;
  log[level]({ err: error }, `${what}: ${level === 'debug' ? problem.detail : errorMessage(error)}`);
}
