import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Peer } from '@jig/http';
import type { Answer, StreamAnswer, WrittenDocument } from '../beans/resource.ts';
import type { EventClient } from '../http/event-stream.ts';
import type { RawRequest } from '../http/inspection-request.ts';
import { instanceHeader } from '../http/instance-headers.ts';
import { clientSignal, isClosing } from '../http/node-request.ts';
import type { BeanProblem } from '../http/problem.ts';
import {
  type AnswerSender,
  answerHeaders,
  streamHeaders,
  type WholeAnswer,
  wholeAnswer,
  wholeProblem,
} from '../resources/send-answer.ts';
import { truncatedHeader } from '../resources/send-document.ts';
import type { Inspectable } from '../sources/plain.ts';
import { type BeanInspectionOptions, Inspector } from './inspector.ts';

export type { BeanInspectionOptions } from './inspector.ts';

/** Who sent a request, which only the server knows: without an address, only the token lets a client look. */
export interface FetchPeer extends Peer {
  /** Without it, `Connection: close` is taken for a proxy, since nginx sends that with HTTP/1.0. */
  readonly httpVersion?: string | undefined;
  /** The request and the response of `node:http`, where there are any: see `nodePeer`. */
  readonly node?: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse } | undefined;
}

/** Answers requests below its prefix; gives undefined for all others. */
export interface BeanInspectionFetch {
  (request: Request, peer?: FetchPeer): Promise<Response | undefined>;
  /** Ends all event streams, so that the server can close. */
  close(): void;
}

/** The beans of a source over HTTP, for anything that takes a `Request` and gives a `Response`. */
export function beanInspection(source: Inspectable<Request>, options: BeanInspectionOptions = {}): BeanInspectionFetch {
  const inspector = new Inspector(source, options, { contextOf: toRequest });
  const handler = (request: Request, peer: FetchPeer = {}) => respond(inspector, request, peer, request);
  return inspector.standsBehind(Object.assign(handler, { close: () => inspector.close() }));
}

/** The peer of a server that makes its requests from those of `node:http`; lets trailers and the reason phrase be sent. */
export function nodePeer(incoming: IncomingMessage, outgoing: ServerResponse): FetchPeer {
  const { remoteAddress, localAddress, localPort } = incoming.socket;
  const { httpVersion } = incoming;
  const encrypted = 'encrypted' in incoming.socket;
  return { remoteAddress, localAddress, localPort, encrypted, httpVersion, node: { incoming, outgoing } };
}

/** A request of `node:http` as far as it tells who sent it, for sources that know no other. */
export const toRequest = ({ url = '/', headers }: IncomingMessage): Request =>
  new Request(new URL(url, 'http://localhost'), {
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
  });

/** The answer to a request that asks for beans; undefined for those of the application. */
export async function respond<Context>(
  inspector: Inspector<Context>,
  request: Request,
  peer: FetchPeer,
  context: Context,
): Promise<Response | undefined> {
  const raw = new FetchRequest(request, peer);
  const found = inspector.find(raw, context);
  if (found === undefined) return undefined;
  const sender = new ResponseSender(raw);
  await inspector.answer(found, sender);
  return sender.response;
}

class FetchRequest implements RawRequest {
  readonly #request: Request;
  #headers: IncomingHttpHeaders | undefined;
  readonly socket: FetchPeer;
  readonly url: string;

  constructor(request: Request, peer: FetchPeer) {
    this.#request = request;
    this.socket = peer;
    this.url = request.url;
  }

  get method(): string {
    return this.#request.method;
  }

  get wholeUrl(): string {
    return this.url;
  }

  get host(): string {
    return this.headers.host ?? new URL(this.url).host;
  }

  get headers(): IncomingHttpHeaders {
    this.#headers ??= Object.fromEntries<string | undefined>(this.#request.headers);
    return this.#headers;
  }

  get rawHeaders(): readonly string[] {
    return [...this.#request.headers].flat();
  }

  get httpVersion(): string {
    return this.socket.httpVersion ?? (/\bclose\b/i.test(this.headers.connection ?? '') ? '1.0' : '1.1');
  }

  get signal(): AbortSignal {
    const { node } = this.socket;
    return node === undefined ? this.#request.signal : clientSignal(node.incoming.socket);
  }

  untilLeft<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    return work(this.signal);
  }

  unreadBody(): Readable | undefined {
    const { body, bodyUsed } = this.#request;
    if (bodyUsed) return undefined;
    return Readable.from(body ?? []);
  }

  parsedBody(): undefined {
    return undefined;
  }
}

/** Makes the response that the server is to send. */
class ResponseSender implements AnswerSender {
  response = new Response(null, { status: 500 });
  readonly #request: FetchRequest;
  readonly #headers = new Headers(answerHeaders);

  constructor(request: FetchRequest) {
    this.#request = request;
  }

  addVary(name: string): void {
    this.#headers.append('vary', name);
  }

  setInstance(id: string | undefined): void {
    if (id === undefined) this.#headers.delete(instanceHeader);
    else this.#headers.set(instanceHeader, id);
  }

  send(given: Answer): void {
    if ('inspection' in given) this.#sendDocument(given);
    else if ('stream' in given) this.#sendStream(given);
    else this.#sendWhole(wholeAnswer(given));
  }

  sendProblem(problem: BeanProblem): void {
    this.#sendWhole(wholeProblem(problem));
  }

  abort(): void {
    this.response = new Response(null, { status: 500 });
  }

  #sendWhole({ status, reason, headers, body }: WholeAnswer): void {
    const bytes = Buffer.from(body);
    this.#setHeaders({ ...headers, 'content-length': String(bytes.length) });
    const { node } = this.#request.socket;
    if (reason !== undefined && node !== undefined) node.outgoing.statusMessage = reason;
    this.#respond(bytes.length === 0 ? null : new Uint8Array(bytes), { status, statusText: reason ?? '' });
  }

  #sendDocument({ inspection, mediaType, status = 200 }: WrittenDocument): void {
    const { signal, httpVersion, socket } = this.#request;
    const body = inspection.wholeOrChunks(signal);
    const isWhole = typeof body === 'string';
    const outgoing = httpVersion === '1.1' ? socket.node?.outgoing : undefined;
    const hasTrailer = !inspection.truncated && !isWhole && outgoing !== undefined;
    this.#setHeaders({
      'content-type': mediaType,
      ...(inspection.truncated ? { [truncatedHeader]: 'true' } : {}),
      ...(hasTrailer ? { trailer: truncatedHeader } : {}),
      // A server on Node would count a short body and send its length.
      ...(outgoing === undefined ? {} : { 'transfer-encoding': 'chunked' }),
    });
    const chunks = isWhole ? once(Buffer.from(body)) : body;
    this.#respond(
      new ReadableStream({
        async pull(controller) {
          const { done, value } = await chunks.next();
          if (done !== true) return controller.enqueue(value);
          if (hasTrailer && inspection.truncated) outgoing.addTrailers({ [truncatedHeader]: 'true' });
          controller.close();
        },
        async cancel() {
          await chunks.return();
        },
      }),
      { status },
    );
  }

  #sendStream({ stream }: StreamAnswer): void {
    this.#setHeaders(streamHeaders);
    if (this.#request.method === 'HEAD') {
      this.#respond(null, { status: 200 });
      return;
    }
    const { signal, socket } = this.#request;
    const { node } = socket;
    // When the server closes, a connection that is kept alive would keep it waiting.
    if (node !== undefined) node.outgoing.shouldKeepAlive = false;
    let client: EventClient | undefined;
    const leave = () => client?.left();
    signal.addEventListener('abort', leave, { once: true });
    const events = new ReadableStream<Uint8Array>({
      start(controller) {
        client = stream.start({
          write(text) {
            controller.enqueue(Buffer.from(text));
            return (controller.desiredSize ?? 0) > 0;
          },
          end: () => controller.close(),
          isClosing: () => node !== undefined && isClosing(node.incoming.socket),
        });
      },
      pull: () => client?.drained(),
      cancel: leave,
    });
    this.#respond(events, { status: 200 });
  }

  #setHeaders(headers: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(headers)) this.#headers.set(name, value);
  }

  #respond(
    body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null,
    init: { status: number; statusText?: string },
  ): void {
    const isHead = this.#request.method === 'HEAD';
    if (isHead && body instanceof ReadableStream) void body.cancel();
    this.response = new Response(isHead ? null : body, { ...init, headers: this.#headers });
  }
}

async function* once(chunk: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield chunk;
}
