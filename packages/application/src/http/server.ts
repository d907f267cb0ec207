import { lookup } from 'node:dns/promises';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { parse as parseForm } from 'node:querystring';
import { setTimeout as sleep } from 'node:timers/promises';
import { securityHeaders } from '@jig/http';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import type { ServerSettings } from '../configuration/host-settings.ts';
import { errorMessage, hostError } from '../errors.ts';
import type { AllowedMethods } from './not-found.ts';
import { addMissingHeaders, handleError } from './problem.ts';

const httpsHeaders: Readonly<Record<string, string>> = Object.freeze({
  ...securityHeaders,
  'strict-transport-security': 'max-age=31536000',
});

/** For requests with a malformed URL: no hook runs for them, and their `protocol` ignores proxies. */
function addHttpsHeaders({ headers }: FastifyRequest, reply: FastifyReply): void {
  const protocol = String(headers['x-forwarded-proto']).split(',').at(-1)?.trim();
  if (protocol === 'https') reply.headers(httpsHeaders);
}

/** Adds them in `onSend`, so that what a hook or a route has set stays. */
function addSecurityHeaders(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    addMissingHeaders(reply, request.protocol === 'https' ? httpsHeaders : securityHeaders);
    done(null, payload);
  });
}

const ignore = () => {};

/** Creates the HTTP server with its time-outs, limits, error handling and security headers. */
export function createServer(
  settings: ServerSettings,
  log: FastifyBaseLogger,
  allowedMethods: AllowedMethods,
  /** How long a plugin may take to register, in milliseconds. */
  pluginTimeout: number,
): FastifyInstance {
  const server = fastify({
    // With `loggerInstance`, Fastify would add a listener to each response, even with request logging disabled.
    childLoggerFactory: (_logger, bindings, options) => log.child(bindings, options),
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: settings.requestIdHeader ?? false,
    pluginTimeout,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: settings.headersLimit },
    bodyLimit: settings.bodyLimit,
    trustProxy: settings.trustProxy,
    requestTimeout: settings.requestTimeout,
    keepAliveTimeout: settings.idleTimeout,
    forceCloseConnections: 'idle',
    http: {
      maxHeaderSize: settings.headersLimit,
      headersTimeout: settings.headersTimeout,
      connectionsCheckingInterval: 1000,
    },
    handlerTimeout: settings.responseTimeout,
    frameworkErrors: (error, request, reply) => {
      if (settings.trustProxy) addHttpsHeaders(request, reply);
      handleError(error, request, reply);
    },
  });
  server.log = log;
  // A handler may write to a response that has ended or whose client has gone; the error must not end the process.
  server.server.on('request', (_request, response: ServerResponse) => response.on('error', ignore));
  // A client may close its side after the request; the response is still sent.
  Object.assign(server.server, { httpAllowHalfOpen: true });
  closeUnusedConnections(server);
  parseForms(server);
  allowedMethods.watch(server);
  addSecurityHeaders(server);
  server.setErrorHandler(handleError);
  return server;
}

/** Matches by a regular expression, so that a plugin such as `@fastify/formbody` can still add a parser for the same type. */
function parseForms(server: FastifyInstance): void {
  const type = /^application\/x-www-form-urlencoded(?:;|$)/;
  server.addContentTypeParser<string>(type, { parseAs: 'string' }, (_request, body, done) =>
    done(null, parseForm(body)),
  );
}

/** How long a new connection may take to send its first request when the server closes. */
const firstRequestMs = 200;

/** When the server closes, closes connections that have sent nothing, such as browsers open in advance: node:http does not treat them as idle. */
function closeUnusedConnections(server: FastifyInstance): void {
  const open = new Set<Socket>();
  server.server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const closeUnused = () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
  server.addHook('preClose', async () => void setTimeout(closeUnused, firstRequestMs).unref());
}

/** Logs one line for each response, with the fields that Fastify gives it. */
export function logRequests(server: FastifyInstance): void {
  server.addHook('onResponse', (request, reply, done) => {
    request.log.info({ req: request, res: reply, responseTime: reply.elapsedTime }, 'request completed');
    done();
  });
}

/** Browsers cannot open the unspecified address `[::]`; the loopback address is served too. */
const reachableUrl = (address: string) => address.replace('//[::]', '//[::1]');

/** Fastify would listen on both addresses of `localhost`, the second one with a server that lacks our time-outs and handlers. */
async function singleAddress(host: string): Promise<string> {
  if (host.toLowerCase() !== 'localhost') return host;
  const addresses = await lookup(host, { all: true });
  return (addresses.find(({ family }) => family === 4) ?? addresses[0])?.address ?? host;
}

/** Listens, logs each address in the sentence that `message` returns, and returns the first. */
export async function listen(
  server: FastifyInstance,
  { host, port }: { host: string; port: number },
  message: (address: string) => string,
): Promise<string> {
  try {
    return reachableUrl(
      await server.listen({
        host: await singleAddress(host),
        port,
        listenTextResolver: (address) => message(reachableUrl(address)),
      }),
    );
  } catch (error) {
    const sentence = `Cannot listen on port ${port} of ${host}: ${errorMessage(error)}; HOST and PORT choose another: \`PORT=0 npm start\` takes any free one.`;
    throw hostError('JIG_ADDRESS_UNAVAILABLE', sentence, { cause: error, fields: { host, port } });
  }
}

/** Keeps answering for a while, but closes each connection after its response, so that clients move to another instance. */
export async function drainServer(server: FastifyInstance, milliseconds: number): Promise<void> {
  server.server.prependListener('request', (_request, response: ServerResponse) => {
    response.setHeader('connection', 'close');
  });
  await sleep(milliseconds);
}

/** How often idle connections are closed while stopping; keep-alive connections would delay the stop. */
const idleCheckMs = 20;

/** Accepts no more requests, lets those in flight finish until the deadline, then closes their connections. */
export async function closeServer(server: FastifyInstance, milliseconds: number): Promise<void> {
  const closing = setInterval(() => server.server.closeIdleConnections(), idleCheckMs);
  const deadline = setTimeout(() => server.server.closeAllConnections(), milliseconds);
  try {
    await server.close();
  } finally {
    clearInterval(closing);
    clearTimeout(deadline);
  }
}
