import type { ServerResponse } from 'node:http';
import { plainPagePolicy, securityHeaders } from '@jig/http';
import { formatProblem } from '@jig/http/problem';
import type { Answer, StreamAnswer } from '../beans/resource.ts';
import type { EventStream } from '../http/event-stream.ts';
import { instanceHeader } from '../http/instance-headers.ts';
import { isClosing } from '../http/node-request.ts';
import type { BeanProblem } from '../http/problem.ts';
import { DocumentHeads, sendDocument, writeDocument } from './send-document.ts';

type Headers = Readonly<Record<string, string>>;

/** Headers as a framework keeps them. */
export type SetHeaders = Readonly<Record<string, number | string | string[] | undefined>>;

/** Sends what a request is answered with, in the way of a framework. */
export interface AnswerSender {
  /** Says by which header of the request the answer was chosen. */
  addVary(name: string): void;
  /** Says who gives the answer; undefined to keep it from those who may not look. */
  setInstance(id: string | undefined): void;
  send(given: Answer): Promise<void> | void;
  /** In place of an answer; cuts off what was begun to be sent. */
  sendProblem(problem: BeanProblem): void;
  /** Ends a request that nothing can be sent to. */
  abort(): void;
}

/** `no-transform` keeps compressing middleware away, which would ignore back-pressure and hold on to chunks. */
export const answerHeaders = { ...securityHeaders, 'cache-control': 'no-store, no-transform' };

/** By the instance that answers, of which there are few. */
const documentHeads = new Map<string | undefined, DocumentHeads>();

function headsOf(instance: string | undefined): DocumentHeads {
  const known = documentHeads.get(instance);
  if (known !== undefined) return known;
  if (documentHeads.size > 100) documentHeads.clear();
  const heads = new DocumentHeads({ ...answerHeaders, ...instanceHeaders(instance) });
  documentHeads.set(instance, heads);
  return heads;
}

/** Who gives an answer. */
export const instanceHeaders = (id: string | undefined): Headers => (id === undefined ? {} : { [instanceHeader]: id });

/** What an event stream needs beside; nginx would wait for more of it otherwise. */
export const streamHeaders: Headers = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };

/** Sends by `node:http`. */
export function nodeSender(response: ServerResponse): AnswerSender {
  let instance: string | undefined;
  const send = (whole: WholeAnswer) => sendWhole(response, whole, instance);
  return {
    addVary: (name) => void response.appendHeader('vary', name),
    setInstance(id) {
      instance = id;
    },
    send(given): Promise<void> | void {
      if ('inspection' in given)
        return sendDocument(response, given, (started) => writeDocument(response, started, headsOf(instance)));
      if ('stream' in given) sendStream(response, given, { ...streamHeaders, ...instanceHeaders(instance) });
      else send(wholeAnswer(given));
    },
    sendProblem(problem) {
      if (response.headersSent) response.destroy();
      else send(wholeProblem(problem));
    },
    abort: () => void response.destroy(),
  };
}

export function sendStream(response: ServerResponse, { stream }: StreamAnswer, headers: SetHeaders): void {
  setHeaders(response, 200, headers);
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  // When the server closes, a connection that is kept alive would keep it waiting.
  response.shouldKeepAlive = false;
  response.flushHeaders();
  writeEvents(response, stream);
}

export function writeEvents(response: ServerResponse, stream: EventStream): void {
  const { socket } = response.req;
  const { drained, left } = stream.start({
    write: (text) => response.write(text),
    end: () => void response.end(),
    isClosing: () => isClosing(socket),
  });
  response.once('close', left).on('error', left).on('drain', drained);
  // A response that waits for the one before it on its connection is never closed.
  socket.once('close', left);
  // Our host lets clients close their side and still answers; one that follows a bean has left then.
  socket.once('end', () => {
    left();
    response.end();
  });
}

/** A page, bytes or a redirect, as what is sent. */
export interface WholeAnswer {
  readonly status: number;
  /** The reason phrase, where it differs from the standard one. */
  readonly reason?: string | undefined;
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
  const { bytes, mediaType, status = 200, reason, headers } = given;
  return { status, reason, headers: { 'content-type': mediaType, ...headers }, body: Buffer.from(bytes) };
}

export function wholeProblem(problem: BeanProblem): WholeAnswer {
  const { status, reason, form } = problem;
  const { type, body } = formatProblem(problem, form);
  const policy = form === 'html' ? { 'content-security-policy': plainPagePolicy } : {};
  return { status, reason, headers: { ...policy, ...problem.headers, 'content-type': type }, body: Buffer.from(body) };
}

function sendWhole(
  response: ServerResponse,
  { status, reason, headers, body }: WholeAnswer,
  instance: string | undefined,
): void {
  setReason(response, reason);
  setHeaders(response, status, headers);
  if (instance !== undefined) response.setHeader(instanceHeader, instance);
  response.setHeader('content-length', body.length);
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** HTTP/2 has none, and Node warns of one. */
export function setReason(response: ServerResponse, reason: string | undefined): void {
  if (reason !== undefined && response.req.httpVersionMajor === 1) response.statusMessage = reason;
}

function setHeaders(response: ServerResponse, status: number, headers: SetHeaders): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries({ ...answerHeaders, ...headers }))
    if (value !== undefined) response.setHeader(name, value);
}
