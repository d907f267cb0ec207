import { FixedHeaders, nothingToLoad } from '@jig/application';
import type { FastifyReply } from 'fastify';

/** Sends browsers to a page after a form, past Fastify, whose own way costs as much as everything else that a form takes. */
export class Redirect {
  readonly #headers: FixedHeaders;

  constructor(location: string) {
    this.#headers = new FixedHeaders({
      'content-security-policy': nothingToLoad,
      'cache-control': 'no-store',
      'content-length': '0',
      location,
    });
  }

  send(reply: FastifyReply): void {
    const { raw } = reply.hijack();
    raw.writeHead(302, this.#headers.listFor(reply));
    raw.end();
  }
}
