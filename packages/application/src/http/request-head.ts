import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostHeaders } from '@jig/http';
import { Problem } from '@jig/http/problem';
import type { FastifyInstance } from 'fastify';
import type { NoRoute } from './no-route.ts';

const refusal = (detail: string) => new Problem(400, { detail, headers: { connection: 'close' } });

/**
 * Rejects what a proxy may interpret differently: node:http takes the first of several hosts, and any transfer coding that ends in
 * `chunked` (RFC 9112, sections 3.2 and 6.1). Only HTTP/1.0 requests may have no host.
 */
export function rejectAmbiguousRequests(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const { headers, httpVersion } = request.raw;
    const coding = headers['transfer-encoding'];
    if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion !== '1.1')) {
      return done(refusal('Only chunked is known as a transfer coding, and only in HTTP/1.1.'));
    }
    if (headers.host === undefined && httpVersion === '1.1') {
      return done(refusal('A request of HTTP/1.1 names its host.'));
    }
    if (hostHeaders(request.raw.rawHeaders).length > 1) return done(refusal('A request names one host.'));
    done();
  });
}

/**
 * Answers `Expect: 100-continue` (RFC 9110, section 10.1.1) when the body is first read: a request that is rejected before, for its
 * length, type or address, gets no `100 Continue`.
 */
export function handleExpectHeader(server: FastifyInstance, noRoute: NoRoute): void {
  const http = server.server;
  http.on('checkContinue', (request, response) => {
    continueWhenRead(request, response);
    http.emit('request', request, response);
  });
  // node:http would answer without our headers; the hook below adds them.
  http.on('checkExpectation', (request, response) => http.emit('request', request, response));
  server.addHook('onRequest', (request, reply, done) => {
    const { headers, httpVersion } = request.raw;
    // HTTP/1.0 has no Expect.
    if (headers.expect === undefined || httpVersion !== '1.1') return done();
    if (headers.expect.toLowerCase() !== '100-continue') return done(new Problem(417));
    // Otherwise a parser of the application would read the body first.
    if (request.is404 && noRoute.isUsed) return void noRoute.answer(request, reply);
    done();
  });
}

function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const read = request._read.bind(request);
  request._read = (size) => {
    request._read = read;
    if (!response.headersSent) response.writeContinue();
    read(size);
  };
}
