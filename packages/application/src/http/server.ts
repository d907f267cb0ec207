import { lookup } from 'node:dns/promises';
import type { ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { fastify, LogController } from '../commonjs-dependencies.ts';
import { duration, integer, type SettingValues, string } from '../configuration/setting.ts';
import { errorMessage, hostError } from '../errors.ts';
import type { AllowedMethods } from './allowed-methods.ts';
import { parseForms } from './body-parsers.ts';
import {
  answerClientError,
  closeStalledConnections,
  closeUnusedConnections,
  enforceResponseTimeout,
  lingerAfterRefusedBodies,
  rejectConnect,
} from './connections.ts';
import { handleProblems, type NoRoute } from './no-route.ts';
import { answer } from './problem.ts';
import { handleExpectHeader, rejectAmbiguousRequests } from './request-head.ts';
import { lazyCompilers } from './schema-compilers.ts';
import { addHeadersOverHttps, addSecurityHeaders } from './security-headers.ts';
import { trustProxySetting } from './trust-proxy.ts';

export const serverSettings = {
  host: string({ default: '127.0.0.1', environment: 'HOST', flag: 'host', description: 'The address to listen on.' }),
  port: integer({
    default: 8080,
    minimum: 0,
    maximum: 65_535,
    environment: 'PORT',
    flag: 'port',
    description: 'The port to listen on; 0 takes any free one.',
  }),
  headersTimeout: duration({
    default: 10_000,
    minimum: 100,
    description: 'How long a client may take to send its headers.',
  }),
  requestTimeout: duration({
    default: 30_000,
    minimum: 100,
    description: 'How long a client may take to send a whole request.',
  }),
  idleTimeout: duration({ default: 30_000, minimum: 100, description: 'How long an idle connection is kept open.' }),
  responseTimeout: duration({
    default: 0,
    description: 'How long a handler may send nothing (`0ms`: any time); then the client gets 503 or is cut off.',
  }),
  bodyLimit: integer({
    default: 1_048_576,
    minimum: 1024,
    maximum: 104_857_600,
    description: 'The largest request body in bytes; a route may have its own limit.',
  }),
  headersLimit: integer({
    default: 16_384,
    minimum: 4096,
    maximum: 1_048_576,
    description: 'The largest request head in bytes.',
  }),
  trustProxy: trustProxySetting('The senders of `X-Forwarded-…` to believe: everybody, nobody, or these proxies.'),
  requestIdHeader: string({
    default: undefined,
    description: 'The header with the ID of a request, such as `x-request-id`; otherwise IDs are made.',
    validate: (name) => (/^[\w-]+$/.test(name) ? undefined : 'the name of a header'),
  }),
} as const;

export type ServerSettings = SettingValues<typeof serverSettings>;

const ignore = () => {};

/** Creates the HTTP server with its time-outs, limits, error handling and security headers. */
export function createServer(
  settings: ServerSettings,
  log: FastifyBaseLogger,
  allowedMethods: AllowedMethods,
  noRoute: NoRoute,
  /** How long a plugin may take to register, in milliseconds. */
  pluginTimeout: number,
): FastifyInstance {
  const connectionTimeout = Math.max(settings.requestTimeout, settings.idleTimeout);
  const server = fastify({
    // With `loggerInstance`, Fastify would listen for the end of each response, and log nothing.
    childLoggerFactory: (_logger, bindings, options) => log.child(bindings, options),
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: settings.requestIdHeader ?? false,
    schemaController: { compilersFactory: lazyCompilers() },
    pluginTimeout,
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
      // Node would answer without our headers; rejectAmbiguousRequests checks it.
      requireHostHeader: false,
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      if (settings.trustProxy) addHeadersOverHttps(request, reply);
      answer(error, request, reply);
    },
  });
  server.log = log;
  // A handler may write to a response that has ended or whose client has gone; the error must not end the process.
  server.server.on('request', (_request, response: ServerResponse) => response.on('error', ignore));
  // A client may close its side after the request; the response is still sent.
  Object.assign(server.server, { httpAllowHalfOpen: true });
  rejectConnect(server.server, connectionTimeout);
  closeStalledConnections(server);
  lingerAfterRefusedBodies(server.server);
  closeUnusedConnections(server);
  parseForms(server);
  allowedMethods.watch(server);
  addSecurityHeaders(server);
  if (settings.responseTimeout > 0) enforceResponseTimeout(server, settings.responseTimeout);
  rejectAmbiguousRequests(server);
  handleExpectHeader(server, noRoute);
  handleProblems(server, noRoute);
  return server;
}

/** Logs one line for each response, with the fields that Fastify gives it. */
export function logRequests(server: FastifyInstance): void {
  server.addHook('onResponse', (request, reply, done) => {
    request.log.info({ req: request, res: reply, responseTime: reply.elapsedTime }, 'request completed');
    done();
  });
}

const explanations: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is already in use',
  EACCES: 'it may not be used by this user',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
};

/** Browsers cannot open the unspecified address `[::]`; the loopback address is served too. */
const reachableUrl = (address: string) => address.replace('//[::]', '//[::1]');

/** Fastify would listen on both addresses of `localhost`, the second time by a server without our time-outs and handlers. */
async function oneAddress(host: string): Promise<string> {
  if (host.toLowerCase() !== 'localhost') return host;
  const addresses = await lookup(host, { all: true });
  return (addresses.find(({ family }) => family === 4) ?? addresses[0])?.address ?? host;
}

/** Listens, logs each address by `message`, and returns the first. */
export async function listen(
  server: FastifyInstance,
  { host, port }: { host: string; port: number },
  message: (address: string) => string,
): Promise<string> {
  try {
    return reachableUrl(
      await server.listen({
        host: await oneAddress(host),
        port,
        listenTextResolver: (address) => message(reachableUrl(address)),
      }),
    );
  } catch (error) {
    const why = explanations[(error as NodeJS.ErrnoException).code ?? ''] ?? errorMessage(error);
    const sentence = `Cannot listen on port ${port} of ${host}: ${why}; HOST and PORT choose another (port 0: any free one).`;
    throw hostError('JIG_ADDRESS_UNAVAILABLE', sentence, { cause: error, fields: { host, port } });
  }
}

/** Goes on answering for a while, and tells each client to close its connection, so that none of them holds on to this instance. */
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

/** The bean `server`: its address, its routes, and how busy it is. */
export class ServerBean {
  readonly #server: Server;
  readonly #allowedMethods: AllowedMethods;
  #connections = 0;
  #requests = 0;

  constructor(server: FastifyInstance, allowedMethods: AllowedMethods) {
    this.#server = server.server;
    this.#allowedMethods = allowedMethods;
    this.#server.on('connection', (socket) => {
      this.#connections++;
      socket.once('close', () => this.#connections--);
    });
    this.#server.on('request', () => this.#requests++);
  }

  get address(): AddressInfo | string | null {
    return this.#server.address();
  }

  get routes(): readonly { readonly method: string; readonly path: string }[] {
    return this.#allowedMethods.routes;
  }

  get connections(): number {
    return this.#connections;
  }

  get requests(): number {
    return this.#requests;
  }
}
