import { contentSecurityPolicy, FixedHeaders } from '@jig/application';
import type { FastifyReply } from 'fastify';
import type { EncodedPage } from '../page/encoded-page.ts';

/** Sends pages as they are, in one system call, without copying their parts together; Fastify's own way takes one buffer only, and longer. */
export class PageSender {
  readonly #headers: FixedHeaders;

  constructor(script: string) {
    this.#headers = new FixedHeaders({
      'content-security-policy': contentSecurityPolicy({ inlineScripts: [script] }),
      'content-type': 'text/html; charset=utf-8',
      // It depends on who asks, and is over within a second.
      'cache-control': 'private, no-cache',
      vary: 'Cookie, Accept-Language, Accept-Encoding',
    });
  }

  send(reply: FastifyReply, { parts, length, encoding }: EncodedPage, instant: number): void {
    const { raw, request } = reply.hijack();
    const head = this.#headers.listFor(reply);
    // The page tells the second only; its script wants to tick when the server's clock does.
    head.push('content-length', String(length), 'server-timing', `now;desc="${instant}"`);
    if (encoding !== 'identity') head.push('content-encoding', encoding);
    raw.writeHead(200, head);
    const [only] = parts;
    if (request.method === 'HEAD') raw.end();
    else if (parts.length === 1) raw.end(only);
    else {
      raw.cork();
      for (const part of parts) raw.write(part);
      raw.end();
      raw.uncork();
    }
  }
}
