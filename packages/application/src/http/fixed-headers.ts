import type { FastifyReply } from 'fastify';
import { securityHeadersFor } from './security-headers.ts';

/** The headers that every answer of a kind carries, the security headers among them: for those who write past Fastify, where nothing adds any. */
export class FixedHeaders {
  readonly #own: Readonly<Record<string, string>>;
  readonly #lists = new Map<object, readonly string[]>();

  /** @param own replace security headers of the same name */
  constructor(own: Readonly<Record<string, string>>) {
    this.#own = own;
  }

  /** Names and values in turn, which is what Node writes fastest, with the cookies of the reply. The list is the caller's, to add to. */
  listFor(reply: FastifyReply): string[] {
    const list = this.#fixedFor(reply).slice();
    const cookies = reply.getHeader('set-cookie');
    if (typeof cookies === 'string') list.push('set-cookie', cookies);
    else if (Array.isArray(cookies)) for (const cookie of cookies) list.push('set-cookie', cookie);
    return list;
  }

  #fixedFor({ request }: FastifyReply): readonly string[] {
    const security = securityHeadersFor(request);
    let list = this.#lists.get(security);
    if (list === undefined) {
      list = Object.entries({ ...security, ...this.#own }).flat();
      this.#lists.set(security, list);
    }
    return list;
  }
}
