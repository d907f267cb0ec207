import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Peer } from '@jig/http';
import { type Answer, truncatedHeader } from '../http/answer.ts';
import type { RawRequest } from '../http/request.ts';
import type { Inspectable } from '../sources/plain.ts';
import { type BeanInspectionOptions, Inspector } from './inspector.ts';
import { clientSignal, isClosing } from './node.ts';

export type { BeanInspectionOptions } from './inspector.ts';

/** Who sent a request, which only the server knows: without an address, clients need the token. */
export interface FetchPeer extends Peer {
  /** A request by HTTP/1.0 may come through a proxy (see `isFromThisMachine`). If unknown, it is 1.0 with `Connection: close`: nginx sends both. */
  readonly httpVersion?: string | undefined;
  /** The request and the response of `node:http`, if it is the server: see `nodePeer`. */
  readonly node?: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse } | undefined;
}

/** Answers requests below its prefix; returns undefined for all others. */
export interface BeanInspectionFetch {
  (request: Request, peer?: FetchPeer): Promise<Response | undefined>;
  /** Ends all event streams, so that the server can close. */
  close(): void;
}

/** The beans of a source over HTTP, for servers that pass a `Request` and take a `Response`. */
export function beanInspection(source: Inspectable<Request>, options: BeanInspectionOptions = {}): BeanInspectionFetch {
  const inspector = new Inspector(source, options, { contextOf: toRequest });
  const handler = (request: Request, peer: FetchPeer = {}) => respond(inspector, request, peer, request);
  return inspector.exposeOn(Object.assign(handler, { close: () => inspector.close() }));
}

/** The peer, for servers on `node:http`. */
export function nodePeer(incoming: IncomingMessage, outgoing: ServerResponse): FetchPeer {
  const { remoteAddress, localAddress, localPort } = incoming.socket;
  const encrypted = 'encrypted' in incoming.socket;
  return {
    remoteAddress,
    localAddress,
    localPort,
    encrypted,
    httpVersion: incoming.httpVersion,
    node: { incoming, outgoing },
  };
}

/** The URL and headers of a request of `node:http`. */
export const toRequest = ({ url = '/', headers }: IncomingMessage): Request =>
  new Request(new URL(url, 'http://localhost'), {
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
  });

/** Undefined for requests of the application. */
export async function respond<Context>(
  inspector: Inspector<Context>,
  request: Request,
  peer: FetchPeer,
  context: Context,
): Promise<Response | undefined> {
  const found = inspector.find(fetchRequest(request, peer), context);
  return found && toResponse(await inspector.answer(found), request.method, peer);
}

function fetchRequest(request: Request, peer: FetchPeer): RawRequest {
  const { method, url, bodyUsed } = request;
  const headers = Object.fromEntries<string | undefined>(request.headers);
  const { node } = peer;
  return {
    method,
    url,
    originalUrl: url,
    headers,
    rawHeaders: [...request.headers].flat(),
    host: headers.host ?? new URL(url).host,
    httpVersion: peer.httpVersion ?? (/\bclose\b/i.test(headers.connection ?? '') ? '1.0' : '1.1'),
    socket: peer,
    signal: node === undefined ? request.signal : clientSignal(node.incoming.socket),
    isClosing: () => node !== undefined && isClosing(node.incoming.socket),
    unreadBody: () => (bodyUsed ? undefined : Readable.from(request.body ?? [])),
    parsedBody: () => undefined,
  };
}

function toResponse(answer: Answer, method: string, { node }: FetchPeer): Response {
  const { status, reason = '', headers, body, isDocument, isTruncated } = answer;
  if (node !== undefined && reason !== '') node.outgoing.statusMessage = reason;
  // A server that closes would wait for a kept-alive connection.
  if (node !== undefined && headers['content-type'] === 'text/event-stream') node.outgoing.shouldKeepAlive = false;
  const init = { status, statusText: reason, headers: { ...headers } as Record<string, string> };
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body);
  if (isWhole && isDocument !== true) {
    const bytes = new Uint8Array(Buffer.from(body));
    init.headers['content-length'] = String(bytes.length);
    return new Response(method === 'HEAD' || bytes.length === 0 ? null : bytes, init);
  }
  // A `Response` has no trailers, so they are added to Node's own response, which must be chunked. Elsewhere only the document shows that it was truncated.
  const isUnsized = headers['content-length'] === undefined;
  const trailerTarget = isUnsized && node?.incoming.httpVersion === '1.1' ? node.outgoing : undefined;
  // Without this header, servers on Node send a short body with a `Content-Length`, which excludes trailers.
  if (trailerTarget !== undefined) init.headers['transfer-encoding'] = 'chunked';
  if (trailerTarget !== undefined && isTruncated !== undefined) init.headers.trailer = truncatedHeader;
  const chunks = isWhole ? [body][Symbol.iterator]() : body[Symbol.asyncIterator]();
  const stream = new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done !== true) return controller.enqueue(Buffer.from(value));
        if (isTruncated?.() === true) trailerTarget?.addTrailers({ [truncatedHeader]: 'true' });
        controller.close();
      },
      cancel: async () => void (await chunks.return?.()),
    },
    { highWaterMark: 0 },
  );
  if (method === 'HEAD') void stream.cancel();
  return new Response(method === 'HEAD' ? null : stream, init);
}
