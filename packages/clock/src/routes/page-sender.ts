import { contentSecurityPolicy, securityHeadersFor } from '@jig/application';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EncodedPage } from '../page/encoded-page.ts';

/** Sends pages as they are, in one system call, without copying their parts together; Fastify's own way takes one buffer only, and longer. */
export class PageSender {
  readonly #policy: string;
  /** The headers that are the same for every page, names and values in turn, as Node writes them fastest. */
  readonly #fixed = new Map<object, readonly string[]>();

  constructor(script: string) {
    this.#policy = contentSecurityPolicy({ inlineScripts: [script] });
  }

  send(reply: FastifyReply, { parts, length, encoding }: EncodedPage, instant: number): FastifyReply {
    const { raw, request } = reply.hijack();
    const head = [...this.#fixedHeaders(request), 'content-length', String(length)];
    // The page tells the second only; its script wants to tick when the server's clock does.
    head.push('server-timing', `now;desc="${instant}"`);
    if (encoding !== 'identity') head.push('content-encoding', encoding);
    for (const cookie of [reply.getHeader('set-cookie') ?? []].flat()) head.push('set-cookie', String(cookie));
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
    return reply;
  }

  #fixedHeaders(request: FastifyRequest): readonly string[] {
    const security = securityHeadersFor(request);
    let fixed = this.#fixed.get(security);
    if (fixed === undefined) {
      const headers = {
        ...security,
        'content-security-policy': this.#policy,
        'content-type': 'text/html; charset=utf-8',
        // It depends on who asks, and is over within a second.
        'cache-control': 'private, no-cache',
        vary: 'Cookie, Accept-Language, Accept-Encoding',
      };
      fixed = Object.entries(headers).flat();
      this.#fixed.set(security, fixed);
    }
    return fixed;
  }
}
