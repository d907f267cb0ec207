import { once } from 'node:events';
import { Readable } from 'node:stream';
import { hasSendHooks, securityHeadersFor } from '@jig/application/internal';
import type { Inspection } from '@jig/inspect';
import { releaseChunk } from '@jig/inspect/internal';
import type { FastifyReply } from 'fastify';
import { whenGone } from './when-gone.ts';

const truncatedHeader = 'Jig-Truncated';

type Chunk = IteratorResult<Buffer, void>;

/** A document that has begun. */
interface Begun {
  readonly inspection: Inspection;
  readonly mediaType: string;
  readonly first: Chunk;
  readonly second: Chunk;
  /** What follows. */
  readonly chunks: AsyncGenerator<Buffer, void, undefined>;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

/** Sends a document in chunks, no faster than the client takes them, and lets go of everything when the client goes. */
export async function sendDocument(reply: FastifyReply, inspection: Inspection, mediaType: string): Promise<void> {
  const { raw, request } = reply;
  const signal = whenGone(request.socket);
  const chunks = inspection.chunks({ signal });
  try {
    const first = await chunks.next();
    const second = await chunks.next();
    const begun = { inspection, mediaType, first, second, chunks, signal };
    await (hasSendHooks(reply) ? sendByFastify(reply, begun) : write(reply, begun));
  } catch (error) {
    if (!signal.aborted && !raw.headersSent) throw error;
    reply.hijack();
    raw.destroy();
  } finally {
    await chunks.return();
  }
}

/** A client of HTTP/1.0 knows neither chunks nor the trailers after them. */
const knowsChunks = ({ request }: FastifyReply) => request.raw.httpVersion === '1.1';

/** Writes past Fastify, which would take three times as long for a stream. */
async function write(reply: FastifyReply, { inspection, first, second, chunks, ...begun }: Begun): Promise<void> {
  const { raw, request } = reply;
  const isWhole = second.done === true;
  for (const [name, value] of Object.entries({ ...securityHeadersFor(request), ...reply.getHeaders() })) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.setHeader('Content-Type', begun.mediaType);
  raw.setHeader('Cache-Control', 'no-store');
  if (inspection.truncated) raw.setHeader(truncatedHeader, 'true');
  else if (!isWhole && knowsChunks(reply)) raw.setHeader('Trailer', truncatedHeader);
  // Node would count a short body and say its length.
  if (knowsChunks(reply)) raw.setHeader('Transfer-Encoding', 'chunked');
  raw.writeHead(200);
  for (let chunk = first; chunk.done !== true; chunk = chunk === first ? second : await chunks.next()) {
    const { value } = chunk;
    if (!raw.write(value, () => releaseChunk(value))) await once(raw, 'drain', { signal: begun.signal });
  }
  if (inspection.truncated && raw.hasHeader('Trailer')) raw.addTrailers({ [truncatedHeader]: 'true' });
  raw.end();
}

/** Sends a stream, which hooks `onSend` may look at or replace; among them is the one by which Fastify answers HEAD. */
async function sendByFastify(reply: FastifyReply, begun: Begun): Promise<void> {
  const { inspection, mediaType, second, signal } = begun;
  const { raw, request } = reply;
  const isHead = request.method === 'HEAD';
  signal.throwIfAborted();
  reply.code(200).type(mediaType).header('cache-control', 'no-store');
  if (inspection.truncated) reply.header(truncatedHeader, 'true');
  else if (second.done !== true && knowsChunks(reply)) reply.trailer(truncatedHeader, async () => 'true');
  if (isHead && knowsChunks(reply)) reply.header('transfer-encoding', 'chunked');

  // HEAD would read the whole document, to send nothing of it.
  const stream = Readable.from(isHead ? [] : rest(reply, begun), { objectMode: false });
  const closed = new Promise((resolve) => stream.once('close', resolve));
  const close = () => stream.destroy();
  // A hook may have put another body in its place, and an answer that waits for the one before it is never closed.
  raw.once('close', close);
  signal.addEventListener('abort', close, { once: true });
  // A hook that passes it on by `pipe` passes no error on.
  stream.on('error', () => void (raw.headersSent && raw.destroy()));
  reply.send(stream);
  await closed;
  signal.removeEventListener('abort', close);
}

async function* rest(reply: FastifyReply, { inspection, first, second, chunks }: Begun): AsyncGenerator<Buffer> {
  for (let chunk = first; chunk.done !== true; chunk = chunk === first ? second : await chunks.next())
    yield chunk.value;
  if (!inspection.truncated) reply.removeTrailer(truncatedHeader);
}
