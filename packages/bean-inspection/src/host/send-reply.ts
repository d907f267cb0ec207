import { Readable } from 'node:stream';
import { hasSendHooks, securityHeadersFor } from '@jig/application/internal';
import type { FastifyReply } from 'fastify';
import type { BeanDocument } from '../bean-controller.ts';
import {
  acceptsChunks,
  DocumentHeads,
  type StartedDocument,
  sendDocument,
  truncatedHeader,
  writeDocument,
} from '../send-document.ts';

/** Sends a document as the reply of a route, in such a way that hooks run and headers that they have set are kept. */
export async function sendReply(reply: FastifyReply, document: BeanDocument): Promise<void> {
  const isSent = await sendDocument(reply.raw, document, (started) =>
    hasSendHooks(reply) ? sendStream(reply, started) : writePastFastify(reply, started),
  );
  if (!isSent) reply.hijack();
}

/** Fastify would take three times as long for a stream. */
function writePastFastify(reply: FastifyReply, document: StartedDocument): Promise<void> | void {
  const headers = { ...securityHeadersFor(reply.request), ...reply.getHeaders(), 'cache-control': 'no-store' };
  return writeDocument(reply.raw, document, new DocumentHeads(headers));
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
