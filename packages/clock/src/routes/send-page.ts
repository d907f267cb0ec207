import type { FastifyReply } from 'fastify';
import type { EncodedPage } from '../page/encoded-page.ts';

/** Sends a page. One that is in several parts goes out as it is, in one system call, without being copied together first. */
export function sendPage(reply: FastifyReply, { parts, length, encoding }: EncodedPage): FastifyReply {
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  const [only] = parts;
  if (parts.length === 1 && only) return reply.send(only);
  const { raw, request } = reply;
  reply.header('content-length', length).hijack();
  raw.writeHead(200, reply.getHeaders() as Record<string, string>);
  if (request.method !== 'HEAD') {
    raw.cork();
    for (const part of parts) raw.write(part);
    raw.uncork();
  }
  raw.end();
  return reply;
}
