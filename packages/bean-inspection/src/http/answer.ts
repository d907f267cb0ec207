import { securityHeaders } from '@jig/http';
import { formatProblem } from '@jig/http/problem';
import type { Inspection } from '@jig/inspect';
import type { BeanProblem, ProblemForm } from './problem.ts';

type Headers = Readonly<Record<string, string>>;

/** An answer, independent of the framework. Errors are thrown as `BeanProblem`. */
export interface Answer {
  readonly status: number;
  /** The reason phrase, if it is not the standard one. */
  readonly reason?: string | undefined;
  readonly headers: Headers;
  /** Chunks are produced no faster than the client reads them. */
  readonly body: string | Buffer | AsyncIterable<string | Buffer>;
  /** Documents are sent chunked, even short ones. */
  readonly isDocument?: boolean | undefined;
  /** Whether something was left out, if only the end of the body shows it. */
  readonly isTruncated?: (() => boolean) | undefined;
}

/** A value, or a promise of it. */
export type Awaitable<Value> = Value | Promise<Value>;

export interface AnswerOptions {
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Headers;
}

/** `no-transform` stops middleware from compressing, which would buffer chunks and ignore back-pressure. */
export const answerHeaders = { ...securityHeaders, 'cache-control': 'no-store, no-transform' };

export const truncatedHeader = 'Jig-Truncated';

/** An answer with a complete body: a picture, a style sheet, a small document. */
export const wholeAnswer = (body: string | Buffer, mediaType: string, options: AnswerOptions = {}): Answer => ({
  status: options.status ?? 200,
  headers: { 'content-type': mediaType, ...options.headers },
  body,
});

export const json = (value: object, options?: AnswerOptions) =>
  wholeAnswer(JSON.stringify(value), 'application/json', options);

/** A redirect, after a POST by default. */
export const redirect = (location: string, status = 303): Answer => ({ status, headers: { location }, body: '' });

/** An event stream (HTML, section 9.2), which nginx must not buffer. */
export const events = (body: AsyncIterable<string>): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
  body,
});

/**
 * Writes the first chunks of the document at once, so that an error in them can still become a problem.
 * @param signal aborts when the client disconnects
 */
export function documentAnswer(
  inspection: Inspection,
  form: 'json' | 'xml',
  signal: AbortSignal,
  status = 200,
): Answer {
  const body = inspection.wholeOrChunks(signal);
  const { truncated } = inspection;
  const mayTruncate = typeof body !== 'string' && !truncated;
  return {
    status,
    headers: { 'content-type': `application/${form}`, ...(truncated ? { [truncatedHeader]: 'true' } : {}) },
    body,
    isDocument: true,
    isTruncated: mayTruncate ? () => inspection.truncated : undefined,
  };
}

export function problemAnswer(problem: BeanProblem, form: ProblemForm): Answer {
  const { status, reason } = problem;
  return { status, reason, ...formatProblem(problem, form) };
}
