import type { Readable } from 'node:stream';
import { preferredMediaType, type RequestHead } from '@jig/http';

/** A request for one of our addresses. */
export interface InspectionRequest {
  readonly raw: RawRequest;
  /** The target of the request line, including the path that a framework mounts at. */
  readonly url: string;
  /** What links begin with: `/jig`, or `/jig/@web-4711` if they name an instance. */
  readonly prefix: string;
  /** The path after the prefix, such as `bean/clock.json`. */
  readonly path: string;
  /** The instance that the address names: `web-4711` of `/jig/@web-4711/bean`. */
  readonly instance?: string | undefined;
  /** The host that the client addressed, also through a trusted proxy. */
  readonly host: string;
  /** Passed to the source, which may create beans of request scope. */
  readonly context: unknown;
  /** Whether it came over the socket, which only the user of this process can open. */
  readonly isFromUser?: boolean;
}

/** A request of any server. */
export interface RawRequest extends RequestHead {
  readonly method?: string | undefined;
  /** The target, without the path that a framework mounts at. */
  readonly url: string;
  /** The target with that path. */
  readonly wholeUrl: string;
  readonly host: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Whether the server is closing and waits for this connection. */
  isClosing(): boolean;
  /** The body; undefined if something has read it already. */
  unreadBody(): Readable | undefined;
  /** The result of a body parser; undefined without one. */
  parsedBody(): unknown;
}

/** Every answer names its instance in this header. */
export const instanceHeader = 'Jig-Instance';

/** On the socket: the prefix of links, that of the instance that forwards the request. */
export const prefixHeader = 'jig-prefix';

/** On the socket: the start page that pages link to, that of the console. */
export const startPageHeader = 'jig-start-page';

/** Whether a client prefers an event stream, as `EventSource` of browsers does. */
export function wantsStream({ headers: { accept } }: Pick<RawRequest, 'headers'>): boolean {
  if (accept?.includes('event-stream') !== true) return false;
  return preferredMediaType(accept, ['application/json', 'text/html', 'text/event-stream']) === 'text/event-stream';
}
