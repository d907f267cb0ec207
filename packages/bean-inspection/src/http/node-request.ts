import { setMaxListeners } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { RawRequest } from './inspection-request.ts';

/** Express and others cut the path that they are mounted at off `url`, and keep the whole in `originalUrl`. */
export type MountedRequest = IncomingMessage & { readonly originalUrl?: string; readonly body?: unknown };

/** What a framework keeps apart from the request itself. */
export interface FrameworkRequest {
  readonly wholeUrl?: string | undefined;
  /** The host that the client addressed, where the framework knows proxies that are trusted to say it. */
  readonly host?: string | undefined;
  /** What a body parser has made of the body. */
  readonly parsedBody?: (() => unknown) | undefined;
}

/** In our host a client may close its side after the request, and is still answered; one that does so later has left. */
const halfCloseMs = 250;

/** A request of `node:http`. Every request of the application becomes one, so nothing is read before it is needed. */
export class NodeRequest implements RawRequest {
  readonly #raw: MountedRequest;
  readonly #known: FrameworkRequest;

  constructor(raw: MountedRequest, known: FrameworkRequest = {}) {
    this.#raw = raw;
    this.#known = known;
  }

  get method(): string | undefined {
    return this.#raw.method;
  }

  get url(): string {
    return this.#raw.url ?? '';
  }

  get wholeUrl(): string {
    return this.#known.wholeUrl ?? this.#raw.originalUrl ?? this.url;
  }

  get host(): string {
    return this.#known.host ?? this.headers.host ?? String(this.headers[':authority'] ?? '');
  }

  get headers(): IncomingHttpHeaders {
    return this.#raw.headers;
  }

  get rawHeaders(): readonly string[] {
    return this.#raw.rawHeaders;
  }

  get httpVersion(): string {
    return this.#raw.httpVersion;
  }

  get socket(): Socket {
    return this.#raw.socket;
  }

  get signal(): AbortSignal {
    return clientSignal(this.socket);
  }

  async untilLeft<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const { socket } = this;
    const leaving = new AbortController();
    const leave = () => leaving.abort();
    socket.once('close', leave);
    const timer = setTimeout(() => socket.readableEnded || socket.once('end', leave), halfCloseMs);
    if (socket.destroyed) leave();
    try {
      return await work(leaving.signal);
    } finally {
      clearTimeout(timer);
      socket.off('close', leave).off('end', leave);
    }
  }

  unreadBody(): Readable | undefined {
    // Express 4 has an empty body where its parser does not know the type, and leaves the request unread.
    return this.#raw.readableDidRead || this.#raw.readableEnded ? undefined : this.#raw;
  }

  parsedBody(): unknown {
    const { parsedBody } = this.#known;
    return parsedBody === undefined ? this.#raw.body : parsedBody();
  }
}

const signals = new WeakMap<Socket, AbortSignal>();

/** Given as the reason, since creating an error with its stack takes as long as a tenth of a small document. */
const reason = 'the client has left';

/**
 * Aborts when the client has left. The connection tells it, for all of its requests: a response that waits for the one before it is never closed,
 * and one whose client left while the bean was being created has been closed already.
 */
export function clientSignal(socket: Socket): AbortSignal {
  const known = signals.get(socket);
  if (known !== undefined) return known;
  const controller = new AbortController();
  // A client may send as many requests at once as it likes.
  setMaxListeners(0, controller.signal);
  signals.set(socket, controller.signal);
  if (socket.destroyed) controller.abort(reason);
  else socket.once('close', () => controller.abort(reason));
  return controller.signal;
}

/** Whether the server takes no more connections, and waits for this one to end. */
export function isClosing(socket: Socket): boolean {
  const { server } = socket as { readonly server?: { readonly listening?: boolean } };
  return server?.listening === false;
}
