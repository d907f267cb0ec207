import type { Readable } from 'node:stream';
import { preferredMediaType, type RequestHead } from '@jig/http';

/** A request for an address of ours. */
export interface InspectionRequest {
  readonly raw: RawRequest;
  /** The target of the request line, before a framework cut anything off. */
  readonly url: string;
  /** What links begin with: `/jig`, or `/jig/@web-4711` where they are to stay with one instance. */
  readonly prefix: string;
  /** What follows the prefix in the path, such as `bean/clock.json`. */
  readonly path: string;
  /** The instance that the address names: `web-4711` of `/jig/@web-4711/bean`. */
  readonly instance?: string | undefined;
  /** The host that the client addressed; with a trusted proxy, the one that the proxy names. */
  readonly host: string;
  /** For the source, to create beans of request scope. */
  readonly context: unknown;
  /** Whether it came over the socket that only the user of this process can open. */
  readonly isFromUser?: boolean;
}

/** A request as a server gives it, whichever it is. */
export interface RawRequest extends RequestHead {
  readonly method?: string | undefined;
  /** The target, of which a framework may have cut off the path that it mounts at. */
  readonly url: string;
  /** The target before. */
  readonly wholeUrl: string;
  readonly host: string;
  /** Aborts when the client has left. */
  readonly signal: AbortSignal;
  /** Whether the server takes no more connections, and waits for this one to end. */
  isClosing(): boolean;
  /** The body; undefined where something has read it already. */
  unreadBody(): Readable | undefined;
  /** What a body parser has made of it; undefined where none has. */
  parsedBody(): unknown;
}

/** The header by which every answer says which instance gave it. */
export const instanceHeader = 'Jig-Instance';

/** Over a socket, the prefix that links are to have: that of the one who passes the request on. */
export const prefixHeader = 'jig-prefix';

/** Over a socket, where the name of the bean browser leads: to the list of the console. */
export const startPageHeader = 'jig-start-page';

/** Whether a client prefers an event stream, as `EventSource` of browsers does. */
export function wantsStream({ headers: { accept } }: Pick<RawRequest, 'headers'>): boolean {
  if (accept?.includes('event-stream') !== true) return false;
  return preferredMediaType(accept, ['application/json', 'text/html', 'text/event-stream']) === 'text/event-stream';
}
