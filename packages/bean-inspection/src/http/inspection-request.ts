import type { Readable } from 'node:stream';
import type { RequestHead } from '@jig/http';

/** A request, as the access rules and the controller see it. */
export interface InspectionRequest<Context = unknown> {
  readonly raw: RawRequest;
  /** The target of the request line, before a framework cut anything off. */
  readonly url: string;
  /** What all addresses begin with; links do too. */
  readonly prefix: string;
  /** The host that the client addressed; with a trusted proxy, the one that the proxy names. */
  readonly host: string;
  /** For the source, to create beans of request scope. */
  readonly context: Context;
  /** Whether it came over the socket that only the user of this process can open, who may look. */
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
  /** Does long work, which ends when the client leaves. */
  untilLeft<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** The body; undefined where something has read it already. */
  unreadBody(): Readable | undefined;
  /** What a body parser has made of it; undefined where none has. */
  parsedBody(): unknown;
}
