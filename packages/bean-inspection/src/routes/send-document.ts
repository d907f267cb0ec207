import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { securityHeadersFor } from '@jig/application';
import type { Inspection } from '@jig/inspect';
import { releaseChunk } from '@jig/inspect/internal';
import type { FastifyReply } from 'fastify';
import { whenGone } from './when-gone.ts';

const truncatedHeader = 'Jig-Truncated';

/**
 * Sends a document in chunks, no faster than the client takes them, and lets go of everything when the client goes.
 * It writes past Fastify, which would take three times as long for a stream.
 */
export async function sendDocument(reply: FastifyReply, inspection: Inspection, mediaType: string): Promise<void> {
  const { raw, request } = reply;
  const signal = whenGone(request.socket);
  const chunks = inspection.chunks({ signal });
  try {
    const first = await chunks.next();
    const second = await chunks.next();
    writeHead(reply, { mediaType, isWhole: second.done === true, isTruncated: inspection.truncated });
    if (request.method === 'HEAD') {
      raw.end();
      return;
    }
    for (let chunk = first; chunk.done !== true; chunk = chunk === first ? second : await chunks.next()) {
      const { value } = chunk;
      if (!raw.write(value, () => releaseChunk(value))) await drained(raw, signal);
    }
    if (inspection.truncated && second.done !== true) raw.addTrailers({ [truncatedHeader]: 'true' });
    raw.end();
  } catch (error) {
    if (!signal.aborted && !raw.headersSent) throw error;
    reply.hijack();
    raw.destroy();
  } finally {
    await chunks.return();
  }
}

interface Head {
  readonly mediaType: string;
  /** Whether the document is there already, so that all is known of it. */
  readonly isWhole: boolean;
  readonly isTruncated: boolean;
}

function writeHead(reply: FastifyReply, { mediaType, isWhole, isTruncated }: Head): void {
  reply.hijack();
  const { raw, request } = reply;
  for (const [name, value] of Object.entries({ ...securityHeadersFor(request), ...reply.getHeaders() })) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.setHeader('Content-Type', mediaType);
  raw.setHeader('Cache-Control', 'no-store');
  if (isTruncated) raw.setHeader(truncatedHeader, 'true');
  else if (!isWhole) raw.setHeader('Trailer', truncatedHeader);
  // Node would count a short body and say its length, but a client of HTTP/1.0 knows no chunks.
  if (request.raw.httpVersion === '1.1') raw.setHeader('Transfer-Encoding', 'chunked');
  raw.writeHead(200);
}

async function drained(raw: ServerResponse, signal: AbortSignal): Promise<void> {
  await once(raw, 'drain', { signal });
}
