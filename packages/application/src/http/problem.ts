import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorMessage, hasJigCode } from '../errors.ts';
import type { AllowedMethods } from './allowed-methods.ts';
import { preferredMediaType } from './negotiation.ts';
import { plainPagePolicy, renderPlainPage } from './plain-page.ts';
import { pathOf } from './requests.ts';
import { addMissingHeaders, securityHeaders } from './security-headers.ts';

/** The representation of an error. */
export type ProblemForm = 'json' | 'xml' | 'html';

/** Title and default detail of each status. */
const sentences = {
  400: ['Bad request', 'The request could not be understood.'],
  401: ['Unauthorized', 'This needs a token.'],
  403: ['Forbidden', 'This is not open to you.'],
  404: ['Not found', 'There is nothing at this address.'],
  405: ['Method not allowed', 'This address does not take requests of that method.'],
  406: ['Not acceptable', 'There is no representation of this that you accept.'],
  408: ['Request timeout', 'The request took too long to arrive.'],
  413: ['Content too large', 'The request is larger than this address takes.'],
  414: ['URI too long', 'The address is longer than the server takes.'],
  415: ['Unsupported media type', 'This address does not take a body of that content type.'],
  417: ['Expectation failed', 'The server meets no expectation but 100-continue.'],
  431: ['Request header fields too large', 'The head of the request is larger than the server takes.'],
  500: ['Internal server error', 'Something went wrong on our side; it has been logged.'],
  501: ['Not implemented', 'The server does not take requests of that method.'],
  503: ['Service unavailable', 'A part that is needed is not available right now; please try again shortly.'],
} as const satisfies Record<number, readonly [title: string, detail: string]>;

export type ProblemStatus = keyof typeof sentences;

export interface ProblemOptions {
  readonly title?: string;
  readonly detail?: string;
  /** By default, an address that ends in `.json` or `.xml` decides; otherwise browsers get a page and programs get JSON. */
  readonly form?: ProblemForm;
  readonly headers?: Readonly<Record<string, string>>;
  /** The reason text of the status line, where it must differ from the standard one. */
  readonly reason?: string;
  readonly cause?: unknown;
}

/** An error response: thrown by a handler, written by `sendProblem` (RFC 9457). It never repeats what the client sent. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: ProblemStatus;
  readonly title: string;
  readonly detail: string;
  readonly form: ProblemForm | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: string | undefined;

  constructor(status: ProblemStatus, options: ProblemOptions = {}) {
    const [title, detail] = sentences[status];
    super(options.detail ?? detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = status;
    this.title = options.title ?? title;
    this.detail = options.detail ?? detail;
    this.form = options.form;
    this.headers = options.headers ?? {};
    this.reason = options.reason;
  }
}

function isProblemStatus(status: unknown): status is ProblemStatus {
  return typeof status === 'number' && Object.hasOwn(sentences, status);
}

/** The media type of each representation. */
export const problemTypes = {
  json: 'application/problem+json',
  xml: 'application/problem+xml',
  html: 'text/html',
} as const satisfies Record<ProblemForm, string>;

const startPageLink = { title: 'Start page', path: '/', description: 'What there is to open.' };

const escapeXml = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The media type and the body of a problem, as in RFC 9457, or a page. */
export function formatProblem({ status, title, detail }: Problem, form: ProblemForm): { type: string; body: string } {
  if (form === 'html')
    return { type: `${problemTypes.html}; charset=utf-8`, body: renderPlainPage(title, detail, [startPageLink]) };
  if (form === 'xml') {
    const body = `<problem xmlns="urn:ietf:rfc:7807"><type>about:blank</type><title>${escapeXml(title)}</title><status>${status}</status><detail>${escapeXml(detail)}</detail></problem>`;
    return { type: problemTypes.xml, body };
  }
  return { type: problemTypes.json, body: JSON.stringify({ type: 'about:blank', title, status, detail }) };
}

const retrySoon = { 'retry-after': '2' };

/** Error codes and their problems. No other file chooses a status for an error. */
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
};

/** The problem for a thrown value. Anything unknown is a 500 without details, even if reading the value throws. */
export function toProblem(thrown: unknown): Problem {
  try {
    return knownProblem(thrown);
  } catch {
    return new Problem(500);
  }
}

function knownProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  const { code, statusCode } = (thrown ?? {}) as { code?: unknown; statusCode?: unknown };
  if (typeof code === 'string' && Object.hasOwn(problemsByCode, code)) {
    return problemsByCode[code]?.() ?? new Problem(500);
  }
  if (hasJigCode(thrown) && isTemporary(thrown)) return new Problem(503, { headers: retrySoon, cause: thrown });
  const isOfFramework = typeof code === 'string' && code.startsWith('FST_');
  return isOfFramework && isProblemStatus(statusCode) ? new Problem(statusCode) : new Problem(500, { cause: thrown });
}

/** By its property, since packages that do not import the host have error classes of their own. */
function isTemporary(error: Error): boolean {
  return (error as { readonly isTemporary?: unknown }).isTemporary === true;
}

/** Answers with a problem. The body is a buffer, since Fastify would add a charset to text, which the media type does not have. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const form = problem.form ?? formInPath(reply.request) ?? (prefersPage(reply.request) ? 'html' : 'json');
  const { type, body } = formatProblem(problem, form);
  const policy = form === 'html' ? { 'content-security-policy': plainPagePolicy } : {};
  if (problem.reason !== undefined) reply.raw.statusMessage = problem.reason;
  // Requests that Fastify itself rejects run no hooks.
  addMissingHeaders(reply, securityHeaders);
  return reply
    .code(problem.status)
    .headers({ ...policy, ...problem.headers, 'cache-control': 'no-store' })
    .type(type)
    .send(Buffer.from(body));
}

/** An address that ends in `.json` or `.xml` gets that form, in browsers too. */
function formInPath({ url }: FastifyRequest): ProblemForm | undefined {
  const file = pathOf(url).replace(/\/$/, '');
  return (['json', 'xml'] as const).find((form) => file.endsWith(`.${form}`));
}

/** Browsers prefer HTML; programs accept something else, or anything. */
const prefersPage = ({ headers }: FastifyRequest) =>
  preferredMediaType(headers.accept, problemTypeNames) === 'text/html';

const problemTypeNames = ['application/json', problemTypes.json, problemTypes.html];

export type NoRouteHandler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Answers 404 for an unknown address, 405 for a known one. */
export const noRouteHandler =
  (allowedMethods: AllowedMethods): NoRouteHandler =>
  ({ url, method }, reply) => {
    const allowed = allowedMethods.methodsOf(url);
    const isUnknown = allowed.length === 0 || allowed.includes(method);
    return sendProblem(reply, isUnknown ? new Problem(404) : wrongMethod(allowed));
  };

/** All errors in Fastify end here. */
export function handleProblems(server: FastifyInstance, answerNoRoute: NoRouteHandler): void {
  server.setErrorHandler((error: { readonly code?: string } | null, request, reply) =>
    request.is404 && contentTypeErrors.has(error?.code ?? '')
      ? answerNoRoute(request, reply)
      : answer(error, request, reply),
  );
  server.setNotFoundHandler(answerNoRoute);
}

/** Fastify checks the content type even where there is no route. */
const contentTypeErrors = new Set(['FST_ERR_ROUTE_MISSING_CONTENT_TYPE', 'FST_ERR_CTP_INVALID_MEDIA_TYPE']);

function wrongMethod(allowed: readonly string[]): Problem {
  const methods = allowed.join(', ');
  return new Problem(405, { detail: `This address takes only ${methods}.`, headers: { allow: methods } });
}

export function answer(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // The client closed the connection while its request was read: not an error of ours, and the answer is lost.
  const isCutOff = error !== null && error === request.raw.errored;
  const problem = isCutOff ? new Problem(400) : toProblem(error);
  if (problem.status >= 500) logFailure(request, problem, error);
  return sendProblem(reply, problem);
}

/** A part that is down logs that itself; a line for each request would bury it. */
function logFailure({ log, method, routeOptions }: FastifyRequest, { status, detail }: Problem, error: unknown): void {
  const level = status === 500 ? 'error' : 'debug';
  // The route, not the address of the request, which could hold anything.
  const what = `${method} ${routeOptions.url ?? 'of an unknown address'} failed`;
  try {
    log[level]({ err: error }, `${what}: ${status === 500 ? errorMessage(error) : detail}`);
  } catch {
    log[level](`${what}, and what was thrown cannot be read`);
  }
}
