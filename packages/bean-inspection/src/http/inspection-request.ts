import type { IncomingMessage } from 'node:http';

/** A request, as the access rules and the controller see it. */
export interface InspectionRequest<Context = unknown> {
  readonly raw: IncomingMessage;
  /** The target of the request line, before a framework cut anything off. */
  readonly url: string;
  /** What all addresses begin with; links do too. */
  readonly prefix: string;
  /** The host that the client addressed; with a trusted proxy, the one that the proxy names. */
  readonly host: string;
  /** For the source, to create beans of request scope. */
  readonly context: Context;
  /** The body, where a body parser of the framework has read it already; undefined where none has. */
  readonly parsedBody?: (() => unknown) | undefined;
}
