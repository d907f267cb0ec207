import type { ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { fastify, LogController } from '../commonjs-dependencies.ts';
import type { AllowedMethods } from './allowed-methods.ts';
import { answerClientError, refuseTunnels } from './client-errors.ts';
import { meetExpectations } from './expectations.ts';
import { watchSendHooks } from './prepared-response.ts';
import { answer, handleProblems, noRouteHandler } from './problem-handlers.ts';
import { refuseAmbiguousRequests } from './request-framing.ts';
import { addHeadersOverHttps, addSecurityHeaders } from './security-headers.ts';
import type { ServerSettings } from './server-settings.ts';
import { closeSilentConnections, limitSilence } from './timeouts.ts';

/** Fastify loads its validators at once unless it is given others; we validate by hand and start sooner without them. */
const noSchemas = () => () => () => {
  throw new Error('Routes have no schemas.');
};

const ignore = () => {};

/** The HTTP server, with its time-outs and limits, its way of failing, and the headers that every answer carries. */
export function createServer(
  settings: ServerSettings,
  log: FastifyBaseLogger,
  allowedMethods: AllowedMethods,
): FastifyInstance {
  const connectionTimeout = Math.max(settings.requestTimeout, settings.idleTimeout);
  const server = fastify({
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
    connectionTimeout,
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
  // A client that has sent all it wants to may close its side; the answer still goes out.
  Object.assign(server.server, { httpAllowHalfOpen: true });
  refuseTunnels(server.server, connectionTimeout);
  closeSilentConnections(server);
  server.removeAllContentTypeParsers();
  allowedMethods.watch(server);
  addSecurityHeaders(server);
  if (settings.responseTimeout > 0) limitSilence(server, settings.responseTimeout);
  watchSendHooks(server);
  refuseAmbiguousRequests(server);
  const answerNoRoute = noRouteHandler(allowedMethods);
  meetExpectations(server, answerNoRoute);
  handleProblems(server, answerNoRoute);
  return server;
}
