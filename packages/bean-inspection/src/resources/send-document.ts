import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { WrittenDocument } from '../beans/resource.ts';
import { clientSignal } from '../http/node-request.ts';

export const truncatedHeader = 'Jig-Truncated';

/** A document that was begun, so that an error in its first chunks can still become a problem. */
export interface StartedDocument {
  readonly document: WrittenDocument;
  /** All of it, if it is small. */
  readonly body: string | AsyncGenerator<Buffer, void, undefined>;
  /** Aborts when the client has left. */
  readonly signal: AbortSignal;
}

/**
 * Starts a document, lets `send` send it, and ends it whatever happens. Destroys the response when the client has left or the document failed
 * on its way; a failure before the head was sent is thrown. Waits for nothing where the document is small.
 */
export function sendDocument(
  response: ServerResponse,
  document: WrittenDocument,
  send: (document: StartedDocument) => Promise<void> | void,
): Promise<void> | void {
  const signal = clientSignal(response.req.socket);
  const fail = (error: unknown) => {
    if (!signal.aborted && !response.headersSent) throw error;
    response.destroy();
  };
  try {
    signal.throwIfAborted();
    const body = document.inspection.wholeOrChunks(signal);
    const started = { document, body, signal };
    return isWhole(body) ? send(started)?.catch(fail) : sendChunks(body, () => send(started), fail);
  } catch (error) {
    fail(error);
  }
}

async function sendChunks(
  body: AsyncGenerator,
  send: () => Promise<void> | void,
  fail: (error: unknown) => void,
): Promise<void> {
  try {
    await send();
  } catch (error) {
    fail(error);
  } finally {
    await body.return(undefined);
  }
}

export const isWhole = (body: StartedDocument['body']): body is string => typeof body === 'string';

type Headers = Readonly<Record<string, number | string | readonly string[] | undefined>>;

type Truncation = 'no' | 'header' | 'trailer';

/** The heads of answers with the same headers. Those of documents are few, so each is made once. */
export class AnswerHeads {
  readonly #headers: Headers;
  #last: OutgoingHttpHeaders | undefined;
  readonly #chunked: Record<string, Partial<Record<Truncation, OutgoingHttpHeaders>>> = {};

  constructor(headers: Headers) {
    this.#headers = headers;
  }

  for(response: ServerResponse, { document: { inspection, mediaType }, body }: StartedDocument): OutgoingHttpHeaders {
    if (!acceptsChunks(response)) return this.#create(mediaType, inspection.truncated ? 'header' : 'no');
    const truncation = inspection.truncated ? 'header' : isWhole(body) ? 'no' : 'trailer';
    this.#chunked[mediaType] ??= {};
    const heads = this.#chunked[mediaType];
    // Node would count a short body and send its length.
    heads[truncation] ??= { ...this.#create(mediaType, truncation), 'Transfer-Encoding': 'chunked' };
    return heads[truncation];
  }

  /** The head of what is no document. */
  whole(headers: Readonly<Record<string, string>>, length: number): OutgoingHttpHeaders {
    const names = Object.keys(headers);
    const [name] = names;
    if (names.length !== 1 || name !== 'content-type')
      return { ...this.#headers, ...headers, 'Content-Length': length };
    // Of the commonest, one is copied and changed, since to add names to a copy takes ten times as long.
    const mediaType = headers[name] as string;
    if (this.#last?.['content-type'] !== mediaType) this.#last = { ...this.#headers, ...headers, 'Content-Length': 0 };
    const head = { ...this.#last };
    head['Content-Length'] = length;
    return head;
  }

  #create(mediaType: string, truncation: Truncation): OutgoingHttpHeaders {
    return {
      ...this.#headers,
      'Content-Type': mediaType,
      ...(truncation === 'header' ? { [truncatedHeader]: 'true' } : {}),
      ...(truncation === 'trailer' ? { Trailer: truncatedHeader } : {}),
    };
  }
}

/** Writes a document in chunks, no faster than the client reads them. */
export function writeDocument(
  response: ServerResponse,
  started: StartedDocument,
  heads: AnswerHeads,
): Promise<void> | void {
  const { document, body } = started;
  const head = heads.for(response, started);
  response.writeHead(document.status ?? 200, head);
  if (response.req.method === 'HEAD') response.end();
  else if (typeof body === 'string') response.end(body);
  else return writeChunks(response, started, body, 'Trailer' in head);
}

async function writeChunks(
  response: ServerResponse,
  { document: { inspection }, signal }: StartedDocument,
  chunks: AsyncGenerator<Buffer, void, undefined>,
  hasTrailer: boolean,
): Promise<void> {
  for await (const chunk of chunks) {
    if (!response.write(chunk)) await once(response, 'drain', { signal });
  }
  if (inspection.truncated && hasTrailer) response.addTrailers({ [truncatedHeader]: 'true' });
  response.end();
}

/** A client of HTTP/1.0 knows neither chunks nor the trailers after them. */
export const acceptsChunks = ({ req }: ServerResponse) => req.httpVersion === '1.1';
