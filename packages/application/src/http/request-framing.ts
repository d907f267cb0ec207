import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from './problem.ts';

const refusal = (detail: string) => new Problem(400, { detail, headers: { connection: 'close' } });

/**
 * Refuses what a proxy in front may have understood in another way: node:http takes the first of several hosts, and any
 * transfer coding that ends in `chunked` (RFC 9112, sections 3.2 and 6.1). Only HTTP/1.0 may name no host.
 */
export function refuseAmbiguousRequests(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const { headers, httpVersion } = request.raw;
    const coding = headers['transfer-encoding'];
    if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion !== '1.1')) {
      return done(refusal('Only chunked is known as a transfer coding, and only in HTTP/1.1.'));
    }
    if (headers.host === undefined && httpVersion === '1.1') {
      return done(refusal('A request of HTTP/1.1 names its host.'));
    }
    if (hasSeveralHosts(request)) return done(refusal('A request names one host.'));
    done();
  });
}

function hasSeveralHosts({ raw: { rawHeaders } }: FastifyRequest): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
