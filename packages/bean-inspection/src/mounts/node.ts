import { once, setMaxListeners } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Answer, type Awaitable, truncatedHeader } from '../http/answer.ts';
import type { RawRequest } from '../http/request.ts';

/** Express and others remove the path that they mount at from `url`, and keep the whole in `originalUrl`. */
export type MountedRequest = IncomingMessage & { readonly originalUrl?: string; readonly body?: unknown };

/** What only the framework knows. */
export interface FrameworkRequest {
  readonly originalUrl?: string | undefined;
  /** The host that the client addressed, if the framework trusts proxies. */
  readonly host?: string | undefined;
  /** The result of a body parser. */
  readonly parsedBody?: (() => unknown) | undefined;
}

/** A request of `node:http`. Expensive properties are getters, since most requests are for the application. */
export function nodeRequest(raw: MountedRequest, known: FrameworkRequest = {}): RawRequest {
  const { socket, method, url = '', httpVersion, rawHeaders } = raw;
  return {
    socket,
    method,
    url,
    originalUrl: known.originalUrl ?? raw.originalUrl ?? url,
    httpVersion,
    rawHeaders,
    get headers() {
      return raw.headers;
    },
    get host() {
      return known.host ?? raw.headers.host ?? String(raw.headers[':authority'] ?? '');
    },
    get signal() {
      return clientSignal(socket);
    },
    isClosing: () => isClosing(socket),
    // Express 4 sets an empty body for types that its parser does not know, without reading the request.
    unreadBody: () => (raw.readableDidRead || raw.readableEnded ? undefined : raw),
    parsedBody: () => (known.parsedBody === undefined ? raw.body : known.parsedBody()),
  };
}

const signals = new WeakMap<Socket, AbortSignal>();

/** Aborts when the client disconnects. Listens to the socket, since a pipelined response that waits emits no `close`. */
export function clientSignal(socket: Socket): AbortSignal {
  const known = signals.get(socket);
  if (known !== undefined) return known;
  const controller = new AbortController();
  // A client may pipeline any number of requests.
  setMaxListeners(0, controller.signal);
  signals.set(socket, controller.signal);
  if (socket.destroyed) controller.abort();
  else socket.once('close', () => controller.abort());
  return controller.signal;
}

/** Whether the server is closing and waits for this connection. */
export function isClosing(socket: Socket): boolean {
  const { server } = socket as { readonly server?: { readonly listening?: boolean } };
  return server?.listening === false;
}

/** Sends an answer by `node:http`, no faster than the client reads it. Fails only before its head was sent. */
export function sendAnswer(response: ServerResponse, answer: Answer): Awaitable<void> {
  const { status, reason, headers, body, isDocument = false, isTruncated } = answer;
  const { req } = response;
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body);
  const hasLength = isWhole && !isDocument;
  const isChunked = !hasLength && req.httpVersion === '1.1' && headers['content-length'] === undefined;
  const hasTrailer = isTruncated !== undefined && isChunked;
  // HTTP/2 has no reason, and Node warns of one.
  if (reason !== undefined && req.httpVersionMajor === 1) response.statusMessage = reason;
  const sent: OutgoingHttpHeaders = Object.assign({}, headers);
  if (headers.vary !== undefined) sent.vary = [response.getHeader('vary') ?? [], headers.vary].flat().join(', ');
  if (hasLength) sent['content-length'] = Buffer.byteLength(body);
  if (isChunked) sent['transfer-encoding'] = 'chunked';
  if (hasTrailer) sent.trailer = truncatedHeader;
  response.writeHead(status, sent);
  if (isWhole) {
    response.end(req.method === 'HEAD' ? undefined : body);
    return undefined;
  }
  if (headers['content-type'] === 'text/event-stream' && req.method !== 'HEAD') startEventStream(response);
  return sendChunks(response, body, () => hasTrailer && isTruncated());
}

async function sendChunks(
  response: ServerResponse,
  chunks: AsyncIterable<string | Buffer>,
  isTruncated: () => boolean,
): Promise<void> {
  const { req } = response;
  if (req.method === 'HEAD') {
    response.end();
    await chunks[Symbol.asyncIterator]().return?.();
    return;
  }
  const signal = clientSignal(req.socket);
  try {
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      if (!response.write(chunk)) await once(response, 'drain', { signal });
    }
    if (isTruncated()) response.addTrailers({ [truncatedHeader]: 'true' });
    response.end();
  } catch {
    response.destroy();
  }
}

function startEventStream(response: ServerResponse): void {
  // A server that closes would wait for a kept-alive connection.
  response.shouldKeepAlive = false;
  response.flushHeaders();
  // Our host still answers clients that have closed their side; a client of a stream has left by then.
  response.req.socket.once('end', () => response.req.socket.destroy());
}
