import { FixedHeaders } from '@jig/application';
import type { FastifyReply } from 'fastify';
import { addCookies } from './add-cookies.ts';

/** Sends browsers to a page after a form, past Fastify, whose own way costs as much as everything else that a form takes. */
export class Redirect {
  readonly #headers: FixedHeaders;

  constructor(location: string) {
    this.#headers = new FixedHeaders({ location, 'cache-control': 'no-store', 'content-length': '0' });
  }

  send(reply: FastifyReply): void {
    const { raw, request } = reply.hijack();
    const head = this.#headers.listFor(request);
    addCookies(head, reply);
    raw.writeHead(302, head);
    raw.end();
  }
}
