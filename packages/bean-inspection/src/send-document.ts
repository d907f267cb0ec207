import { once, setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { releaseChunk } from '@jig/inspect/internal';
import type { BeanDocument } from './bean-controller.ts';

export const truncatedHeader = 'Jig-Truncated';

type Chunk = IteratorResult<Buffer, void>;

/** A document whose first two chunks were made, so that an error in them can still become a problem. */
export interface StartedDocument extends BeanDocument {
  readonly first: Chunk;
  readonly second: Chunk;
  /** What follows. */
  readonly chunks: AsyncGenerator<Buffer, void, undefined>;
  /** Aborts when the client has left. */
  readonly signal: AbortSignal;
}

/**
 * Starts a document, lets `send` send it, and ends it whatever happens. Returns false, with the response destroyed, when the client has left or
 * the document failed on its way; a failure before the head was sent is thrown.
 */
export async function sendDocument(
  response: ServerResponse,
  { inspection, mediaType }: BeanDocument,
  send: (document: StartedDocument) => Promise<void>,
): Promise<boolean> {
  const signal = clientSignal(response.req.socket);
  const chunks = inspection.chunks({ signal });
  try {
    const first = await chunks.next();
    const second = await chunks.next();
    await send({ inspection, mediaType, first, second, chunks, signal });
    return true;
  } catch (error) {
    if (!signal.aborted && !response.headersSent) throw error;
    response.destroy();
    return false;
  } finally {
    await chunks.return();
  }
}

/** Writes a document in chunks, no faster than the client reads them. */
export async function writeDocument(
  response: ServerResponse,
  document: StartedDocument,
  headers: Readonly<Record<string, number | string | readonly string[] | undefined>>,
): Promise<void> {
  const { inspection, second } = document;
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value);
  response.setHeader('Content-Type', document.mediaType);
  if (inspection.truncated) response.setHeader(truncatedHeader, 'true');
  else if (second.done !== true && acceptsChunks(response)) response.setHeader('Trailer', truncatedHeader);
  // Node would count a short body and send its length.
  if (acceptsChunks(response)) response.setHeader('Transfer-Encoding', 'chunked');
  response.writeHead(200);
  if (response.req.method !== 'HEAD') await writeChunks(response, document);
  response.end();
}

async function writeChunks(response: ServerResponse, document: StartedDocument): Promise<void> {
  const { inspection, first, second, chunks, signal } = document;
  for (let chunk = first; chunk.done !== true; chunk = chunk === first ? second : await chunks.next()) {
    const { value } = chunk;
    if (!response.write(value, () => releaseChunk(value))) await once(response, 'drain', { signal });
  }
  if (inspection.truncated && response.hasHeader('Trailer')) response.addTrailers({ [truncatedHeader]: 'true' });
}

/** A client of HTTP/1.0 knows neither chunks nor the trailers after them. */
export const acceptsChunks = ({ req }: ServerResponse) => req.httpVersion === '1.1';

const signals = new WeakMap<Socket, AbortSignal>();

/** Given as the reason, since creating an error with its stack takes as long as a tenth of a small document. */
const reason = 'the client has left';

/**
 * Aborts when the client has left. The connection tells it, for all of its requests: a response that waits for the one before it is never closed,
 * and one whose client left while the bean was being created has been closed already.
 */
function clientSignal(socket: Socket): AbortSignal {
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
