import type { ServerResponse } from 'node:http';
import { plainPagePolicy, securityHeaders } from '@jig/http';
import { formatProblem } from '@jig/http/problem';
import type { Answer, StreamAnswer } from '../beans/resource.ts';
import type { EventStream } from '../http/event-stream.ts';
import { instanceHeader } from '../http/instance-headers.ts';
import { isClosing } from '../http/node-request.ts';
import type { BeanProblem } from '../http/problem.ts';
import { AnswerHeads, sendDocument, writeDocument } from './send-document.ts';

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
const answerHeads = new Map<string | undefined, AnswerHeads>();

function headsOf(instance: string | undefined): AnswerHeads {
  const known = answerHeads.get(instance);
  if (known !== undefined) return known;
  if (answerHeads.size > 100) answerHeads.clear();
  const heads = new AnswerHeads({ ...answerHeaders, ...instanceHeaders(instance) });
  answerHeads.set(instance, heads);
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
  response.statusCode = 200;
  for (const [name, value] of Object.entries({ ...answerHeaders, ...headers }))
    if (value !== undefined) response.setHeader(name, value);
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
  readonly body: string | Buffer;
}

export function wholeAnswer(given: Exclude<Answer, { inspection: unknown } | { stream: unknown }>): WholeAnswer {
  if ('redirect' in given) return { status: 303, headers: { location: given.redirect }, body: '' };
  if ('page' in given) {
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': given.policy };
    const { status = 200 } = given;
    return { status, headers: { ...headers, ...given.headers }, body: given.page };
  }
  const { bytes, mediaType, status = 200, reason, headers } = given;
  return { status, reason, headers: { 'content-type': mediaType, ...headers }, body: bytes };
}

export function wholeProblem(problem: BeanProblem): WholeAnswer {
  const { status, reason, form } = problem;
  const { type, body } = formatProblem(problem, form);
  const policy = form === 'html' ? { 'content-security-policy': plainPagePolicy } : {};
  return { status, reason, headers: { ...policy, ...problem.headers, 'content-type': type }, body };
}

const longText = 16 * 1024;

function sendWhole(
  response: ServerResponse,
  { status, reason, headers, body }: WholeAnswer,
  instance: string | undefined,
): void {
  setReason(response, reason);
  // Node puts a text behind the head, which is copied and encoded as one: good for a short one.
  const sent = body.length > longText ? Buffer.from(body) : body;
  response.writeHead(status, headsOf(instance).whole(headers, Buffer.byteLength(sent)));
  response.end(response.req.method === 'HEAD' ? undefined : sent);
}

/** HTTP/2 has none, and Node warns of one. */
export function setReason(response: ServerResponse, reason: string | undefined): void {
  if (reason !== undefined && response.req.httpVersionMajor === 1) response.statusMessage = reason;
}
