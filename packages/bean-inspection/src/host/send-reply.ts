import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { BeanDocument } from '../bean-controller.ts';
import { acceptsChunks, type StartedDocument, sendDocument, truncatedHeader } from '../send-document.ts';

/** Sends a document as the reply of a route, in such a way that hooks run and headers that they have set are kept. */
export async function sendReply(reply: FastifyReply, document: BeanDocument): Promise<void> {
  const isSent = await sendDocument(reply.raw, document, (started) => sendStream(reply, started));
  if (!isSent) reply.hijack();
}

/** Sends a stream, which hooks `onSend` may look at or replace; among them is the one by which Fastify answers HEAD. */
async function sendStream(reply: FastifyReply, document: StartedDocument): Promise<void> {
  const { inspection, mediaType, status = 200, body, signal } = document;
  const { raw, request } = reply;
  const isHead = request.method === 'HEAD';
  signal.throwIfAborted();
  reply.code(status).type(mediaType).header('cache-control', 'no-store');
  if (inspection.truncated) reply.header(truncatedHeader, 'true');
  else if (!Buffer.isBuffer(body) && acceptsChunks(raw)) reply.trailer(truncatedHeader, async () => 'true');
  if (isHead && acceptsChunks(raw)) reply.header('transfer-encoding', 'chunked');

  // HEAD would read the whole document, to send nothing of it.
  const stream = Readable.from(isHead ? [] : chunksAndTrailer(reply, document), { objectMode: false });
  const closed = new Promise((resolve) => stream.once('close', resolve));
  const close = () => stream.destroy();
  // A hook may have put another body in its place, and a response that waits for the one before it is never closed.
  raw.once('close', close);
  signal.addEventListener('abort', close, { once: true });
  // A hook that passes it on by `pipe` passes no error on.
  stream.on('error', () => void (raw.headersSent && raw.destroy()));
  reply.send(stream);
  await closed;
  signal.removeEventListener('abort', close);
}

async function* chunksAndTrailer(reply: FastifyReply, document: StartedDocument): AsyncGenerator<Buffer> {
  const { inspection, body } = document;
  if (Buffer.isBuffer(body)) yield body;
  else yield* body;
  if (!inspection.truncated) reply.removeTrailer(truncatedHeader);
}
