import type { ServerResponse } from 'node:http';
import { plainPagePolicy, securityHeaders } from '@jig/http';
import { formatProblem } from '@jig/http/problem';
import type { BeanProblem } from './problem.ts';
import type { Answer } from './resource.ts';
import { DocumentHeads, sendDocument, writeDocument } from './send-document.ts';

type Headers = Readonly<Record<string, string>>;

/** `no-transform` keeps compressing middleware away, which would ignore back-pressure and hold on to chunks. */
const answerHeaders = { ...securityHeaders, 'cache-control': 'no-store, no-transform' };

const documentHeads = new DocumentHeads(answerHeaders);

/** What an event stream needs beside; nginx would wait for more of it otherwise. */
export const streamHeaders: Headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

export async function sendAnswer(response: ServerResponse, given: Answer): Promise<void> {
  if ('inspection' in given)
    await sendDocument(response, given, (started) => writeDocument(response, started, documentHeads));
  else if ('stream' in given) sendStream(response, given.stream);
  else sendWhole(response, wholeAnswer(given));
}

function sendStream(response: ServerResponse, stream: Extract<Answer, { stream: unknown }>['stream']): void {
  setHeaders(response, 200, streamHeaders);
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  // When the server closes, a connection that is kept alive would keep it waiting.
  response.shouldKeepAlive = false;
  response.flushHeaders();
  stream.start(response);
}

/** A page, bytes or a redirect, as what is sent. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

export function wholeAnswer(given: Exclude<Answer, { inspection: unknown } | { stream: unknown }>): WholeAnswer {
  if ('redirect' in given) return { status: 303, headers: { location: given.redirect }, body: Buffer.alloc(0) };
  if ('page' in given) {
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': given.policy };
    const { status = 200 } = given;
    return { status, headers: { ...headers, ...given.headers }, body: Buffer.from(given.page) };
  }
  const { bytes, mediaType, status = 200, headers } = given;
  return { status, headers: { 'content-type': mediaType, ...headers }, body: Buffer.from(bytes) };
}

export function sendProblem(response: ServerResponse, problem: BeanProblem): void {
  const { type, body } = formatProblem(problem, problem.form);
  const policy = problem.form === 'html' ? { 'content-security-policy': plainPagePolicy } : {};
  if (problem.reason !== undefined) response.statusMessage = problem.reason;
  const headers = { ...policy, ...problem.headers, 'content-type': type };
  sendWhole(response, { status: problem.status, headers, body: Buffer.from(body) });
}

function sendWhole(response: ServerResponse, { status, headers, body }: WholeAnswer): void {
  setHeaders(response, status, headers);
  response.setHeader('content-length', body.length);
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

function setHeaders(response: ServerResponse, status: number, headers: Headers): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries({ ...answerHeaders, ...headers })) response.setHeader(name, value);
}
