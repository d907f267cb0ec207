import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Answer, WrittenDocument } from '../beans/resource.ts';
import type { BeanProblem } from '../http/problem.ts';
import {
  type AnswerSender,
  answerHeaders,
  instanceHeaders,
  type SetHeaders,
  sendStream,
  setReason,
  streamHeaders,
  type WholeAnswer,
  wholeAnswer,
  wholeProblem,
} from '../resources/send-answer.ts';
import {
  acceptsChunks,
  isWhole,
  type StartedDocument,
  sendDocument,
  truncatedHeader,
} from '../resources/send-document.ts';

/** What is used of a reply of Fastify. */
export interface FastifyReplyLike {
  readonly raw: ServerResponse;
  code(status: number): unknown;
  hasHeader(name: string): boolean;
  getHeader(name: string): SetHeaders[string];
  getHeaders(): SetHeaders;
  header(name: string, value: string): unknown;
  trailer(name: string, value: () => Promise<string>): unknown;
  removeTrailer(name: string): unknown;
  send(body: Buffer | Readable): unknown;
  hijack(): unknown;
  callNotFound(): unknown;
}

/** What hooks of the application cannot loosen: beans may hold anything. */
const ownHeaders: ReadonlySet<string> = new Set(['content-security-policy', 'cache-control']);

/** Sends by Fastify, so that hooks run, and headers that they have set are kept. */
export class ReplySender implements AnswerSender {
  readonly #reply: FastifyReplyLike;
  #instance: string | undefined;

  constructor(reply: FastifyReplyLike) {
    this.#reply = reply;
  }

  addVary(name: string): void {
    const others = [this.#reply.getHeader('vary') ?? []].flat();
    this.#reply.header('vary', [...others, name].join(', '));
  }

  setInstance(id: string | undefined): void {
    this.#instance = id;
  }

  send(given: Answer): Promise<void> | void {
    const { raw } = this.#reply;
    if ('inspection' in given) return sendDocument(raw, given, (started) => this.#sendDocument(started));
    if (!('stream' in given)) return this.#sendWhole(wholeAnswer(given));
    this.#setHead(200, streamHeaders);
    // Past Fastify, since it would take a stream for one that ends by itself.
    this.#reply.hijack();
    sendStream(raw, given, this.#reply.getHeaders());
  }

  sendProblem(problem: BeanProblem): void {
    if (this.#reply.raw.headersSent) this.abort();
    else this.#sendWhole(wholeProblem(problem));
  }

  abort(): void {
    this.#reply.raw.destroy();
  }

  #sendWhole({ status, reason, headers, body }: WholeAnswer): void {
    setReason(this.#reply.raw, reason);
    this.#setHead(status, headers);
    this.#reply.send(Buffer.from(body));
  }

  #setHead(status: number, headers: Readonly<Record<string, string>>): void {
    this.#reply.code(status);
    for (const [name, value] of Object.entries(answerHeaders))
      if (ownHeaders.has(name) || !this.#reply.hasHeader(name)) this.#reply.header(name, value);
    for (const [name, value] of Object.entries({ ...headers, ...instanceHeaders(this.#instance) }))
      this.#reply.header(name, value);
  }

  /** As a stream, which hooks `onSend` may look at or replace. */
  async #sendDocument({ document, body, signal }: StartedDocument): Promise<void> {
    const { inspection, mediaType, status = 200 } = document;
    const { raw } = this.#reply;
    const isHead = raw.req.method === 'HEAD';
    this.#setHead(status, { 'content-type': mediaType });
    if (inspection.truncated) this.#reply.header(truncatedHeader, 'true');
    else if (!isWhole(body) && acceptsChunks(raw)) this.#reply.trailer(truncatedHeader, async () => 'true');
    if (isHead && acceptsChunks(raw)) this.#reply.header('transfer-encoding', 'chunked');

    // HEAD would read the whole document, to send nothing of it.
    const stream = Readable.from(isHead ? [] : this.#chunks(inspection, body), { objectMode: false });
    const closed = new Promise((resolve) => stream.once('close', resolve));
    const close = () => stream.destroy();
    // A hook may have put another body in its place, and a response that waits for the one before it is never closed.
    raw.once('close', close);
    signal.addEventListener('abort', close, { once: true });
    // A hook that passes it on by `pipe` passes no error on.
    stream.on('error', () => void (raw.headersSent && raw.destroy()));
    this.#reply.send(stream);
    await closed;
    signal.removeEventListener('abort', close);
  }

  async *#chunks(inspection: WrittenDocument['inspection'], body: StartedDocument['body']): AsyncGenerator<Buffer> {
    if (typeof body === 'string') yield Buffer.from(body);
    else if (Buffer.isBuffer(body)) yield body;
    else yield* body;
    if (!inspection.truncated) this.#reply.removeTrailer(truncatedHeader);
  }
}
