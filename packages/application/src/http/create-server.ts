import type { ServerResponse } from 'node:http';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { answerClientError } from './client-errors.ts';
import type { KnownPaths } from './known-paths.ts';
import { watchSendHooks } from './prepared-response.ts';
import { answer, handleProblems } from './problem-handlers.ts';
import { refuseAmbiguousRequests } from './request-framing.ts';
import { addHeadersOverHttps, addSecurityHeaders } from './security-headers.ts';
import type { ServerSettings } from './server-settings.ts';

/** Fastify loads its validators at once unless it is given others; we validate by hand and start sooner without them. */
const noSchemas = () => () => () => {
  throw new Error('Routes have no schemas.');
};

const ignore = () => {};

/** The HTTP server, with its time-outs and limits, its way of failing, and the headers that every answer carries. */
export function createServer(
  settings: ServerSettings,
  log: FastifyBaseLogger,
  knownPaths: KnownPaths,
): FastifyInstance {
  const server = Fastify({
    // Were it given the log, it would listen for the end of each answer, to log nothing.
    childLoggerFactory: () => log,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: settings.headersLimit },
    bodyLimit: settings.bodyLimit,
    trustProxy: settings.trustProxy,
    requestTimeout: settings.requestTimeout,
    keepAliveTimeout: settings.idleTimeout,
    connectionTimeout: Math.max(settings.requestTimeout, settings.idleTimeout),
    forceCloseConnections: 'idle',
    http: {
      maxHeaderSize: settings.headersLimit,
      headersTimeout: settings.headersTimeout,
      connectionsCheckingInterval: 1000,
      // Node would refuse by itself, without our headers; we do it beside what else is ambiguous.
      requireHostHeader: false,
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      if (settings.trustProxy) addHeadersOverHttps(request, reply);
      answer(error, request, reply);
    },
  });
  server.log = log;
  // A handler may write to an answer that has ended, or whose reader has gone: that is lost, and no reason to stop.
  server.server.on('request', (_request, response: ServerResponse) => response.on('error', ignore));
  server.removeAllContentTypeParsers();
  knownPaths.watch(server);
  addSecurityHeaders(server);
  watchSendHooks(server);
  refuseAmbiguousRequests(server);
  handleProblems(server, knownPaths);
  return server;
}
