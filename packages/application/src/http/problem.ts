import { STATUS_CODES } from 'node:http';
import { pathOf, preferredMediaType } from '@jig/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorMessage, hasJigCode } from '../errors.ts';
import { plainPagePolicy, renderPlainPage } from './plain-page.ts';
import { problemAsXml } from './problem-xml.ts';
import { addMissingHeaders, securityHeaders } from './security-headers.ts';
import { validationErrors } from './validation-errors.ts';

/** The representation of an error. */
export type ProblemForm = 'json' | 'xml' | 'html';

/** Title and default detail of the statuses that the host itself answers with. */
const sentences: Readonly<Record<number, readonly [title: string, detail: string]>> = {
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
};

function sentencesOf(status: number): readonly [title: string, detail: string] {
  const known = sentences[status];
  if (known !== undefined) return known;
  const title = STATUS_CODES[status] ?? (status < 500 ? 'Client error' : 'Server error');
  return [title, status < 500 ? 'The request was refused.' : 'Something went wrong on our side.'];
}

export interface ProblemOptions {
  /** A URI that names the kind of problem; `about:blank` by default. */
  readonly type?: string;
  readonly title?: string;
  readonly detail?: string;
  /** Further members of the document, such as `{ balance: 30 }`; the standard members cannot be replaced. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** By default, an address that ends in `.json` or `.xml` decides; otherwise browsers get a page and programs get JSON. */
  readonly form?: ProblemForm;
  readonly headers?: Readonly<Record<string, string>>;
  /** The reason text of the status line, where it must differ from the standard one. */
  readonly reason?: string;
  readonly cause?: unknown;
}

/** An error response: thrown by a handler, written by `sendProblem` (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  /** The same, where error handlers of Fastify look for it. */
  readonly statusCode: number;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly form: ProblemForm | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: string | undefined;

  /** @param status from 400 to 599 */
  constructor(status: number, options: ProblemOptions = {}) {
    const isValid: boolean = isErrorStatus(status);
    if (!isValid) throw new RangeError(`The status of a Problem is from 400 to 599, not ${status}.`);
    const [title, detail] = sentencesOf(status);
    super(options.detail ?? detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = status;
    this.statusCode = status;
    this.type = options.type ?? 'about:blank';
    this.title = options.title ?? title;
    this.detail = options.detail ?? detail;
    this.extensions = options.extensions === undefined ? {} : asPlainJson(options.extensions);
    this.form = options.form;
    this.headers = options.headers ?? {};
    this.reason = options.reason;
  }
}

/** Fails where the error is thrown, not where it is answered. */
function asPlainJson(extensions: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(JSON.stringify(extensions));
  } catch (error) {
    throw new TypeError(`The extensions of a Problem must be JSON: ${errorMessage(error)}`, { cause: error });
  }
}

function isErrorStatus(status: unknown): status is number {
  return Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599;
}

/** The media type of each representation. */
export const problemTypes = {
  json: 'application/problem+json',
  xml: 'application/problem+xml',
  html: 'text/html',
} as const satisfies Record<ProblemForm, string>;

const startPageLink = { title: 'Start page', path: '/', description: 'What there is to open.' };

/** The media type and the body of a problem, as in RFC 9457, or a page. */
export function formatProblem(problem: Problem, form: ProblemForm): { type: string; body: string } {
  const { type, title, status, detail, extensions } = problem;
  if (form === 'html')
    return { type: `${problemTypes.html}; charset=utf-8`, body: renderPlainPage(title, detail, [startPageLink]) };
  const standard = { type, title, status, detail };
  const document = { ...standard, ...extensions, ...standard };
  if (form === 'xml') return { type: problemTypes.xml, body: problemAsXml(document) };
  return { type: problemTypes.json, body: JSON.stringify(document) };
}

const retrySoon = { 'retry-after': '2' };

/** Error codes and their problems, where the error's own message says nothing more or repeats what the client sent. */
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

/** What is read of a thrown value. */
interface Thrown {
  readonly code?: unknown;
  readonly statusCode?: unknown;
  readonly status?: unknown;
  readonly message?: unknown;
  readonly headers?: unknown;
  /** By http-errors: whether the message may be shown. */
  readonly expose?: unknown;
  readonly validation?: unknown;
  readonly validationContext?: unknown;
}

/**
 * The problem for a thrown value: its own status if it has one from 400 to 599, else that of the reply, else 500. Only messages of 4xx are
 * shown. Anything that cannot even be read is a 500.
 */
export function toProblem(thrown: unknown, replyStatus = 500): Problem {
  try {
    return knownProblem(thrown, replyStatus);
  } catch {
    return new Problem(500);
  }
}

function knownProblem(thrown: unknown, replyStatus: number): Problem {
  if (thrown instanceof Problem) return thrown;
  const error: Thrown = typeof thrown === 'object' && thrown !== null ? thrown : {};
  if (typeof error.code === 'string' && Object.hasOwn(problemsByCode, error.code)) {
    return problemsByCode[error.code]?.() ?? new Problem(500);
  }
  if (hasJigCode(thrown) && isTemporary(thrown)) return new Problem(503, { headers: retrySoon, cause: thrown });
  const status = [error.statusCode, error.status, replyStatus].find(isErrorStatus) ?? 500;
  const detail = status < 500 && error.expose !== false ? messageOf(error) : {};
  const errors = status < 500 ? validationErrors(error) : {};
  return new Problem(status, { ...detail, ...errors, headers: headersOf(error), cause: thrown });
}

const messageOf = ({ message }: Thrown) => (typeof message === 'string' && message !== '' ? { detail: message } : {});

/** As in Fastify, an error may have headers for its answer. */
function headersOf({ headers }: Thrown): Readonly<Record<string, string>> {
  if (typeof headers !== 'object' || headers === null) return {};
  const entries = Object.entries(headers).filter(([, value]) => ['string', 'number'].includes(typeof value));
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
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
    .headers({ 'cache-control': 'no-store', ...policy, ...problem.headers })
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

export function answer(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // The client closed the connection while its request was read: not an error of ours, and the answer is lost.
  const isCutOff = error !== null && error === request.raw.errored;
  const problem = isCutOff ? new Problem(400) : toProblem(error, reply.statusCode);
  if (problem.status >= 500) logFailure(request, problem, error);
  return sendProblem(reply, problem);
}

/** Only what nobody foresaw is an error. A part that is down logs that itself; a line for each request would bury it. */
function levelOf({ status }: Problem, error: unknown): 'error' | 'warn' | 'debug' {
  if (status === 500) return 'error';
  return error instanceof Problem || hasJigCode(error) ? 'debug' : 'warn';
}

function logFailure({ log, method, routeOptions }: FastifyRequest, problem: Problem, error: unknown): void {
  const level = levelOf(problem, error);
  // The route, not the address of the request, which could hold anything.
  const what = `${method} ${routeOptions.url ?? 'of an unknown address'} failed`;
  try {
    log[level]({ err: error }, `${what}: ${level === 'debug' ? problem.detail : errorMessage(error)}`);
  } catch {
    log[level](`${what}, and what was thrown cannot be read`);
  }
}
