import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Problem } from './problem.ts';
import type { NoRouteHandler } from './problem-handlers.ts';

/**
 * Meets `Expect: 100-continue` (RFC 9110, section 10.1.1) when something begins to read the body, and not before: a
 * request that is refused by then, for its length, its type or its address, is answered without `100 Continue`.
 */
export function meetExpectations(server: FastifyInstance, answerNoRoute: NoRouteHandler): void {
  const http = server.server;
  http.on('checkContinue', (request, response) => {
    continueWhenRead(request, response);
    http.emit('request', request, response);
  });
  // node:http would answer by itself, without our headers; the hook below does.
  http.on('checkExpectation', (request, response) => http.emit('request', request, response));
  server.addHook('onRequest', (request, reply, done) => {
    const { headers, httpVersion } = request.raw;
    // A client of HTTP/1.0 cannot expect anything.
    if (headers.expect === undefined || httpVersion !== '1.1') return done();
    if (headers.expect.toLowerCase() !== '100-continue') return done(new Problem(417));
    // A parser of the application would read the body first.
    if (request.is404) return void answerNoRoute(request, reply);
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
